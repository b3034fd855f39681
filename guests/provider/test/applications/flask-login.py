"""An application as people write them with Authlib: Flask, discovery, PKCE."""

import os

from authlib.integrations.flask_client import OAuth
from flask import Flask, jsonify, session, url_for

app = Flask(__name__)
app.secret_key = "only for this test"
oauth = OAuth(app)
oauth.register(
    "rollcall",
    server_metadata_url=os.environ["ISSUER"] + "/.well-known/openid-configuration",
    client_id=os.environ["CLIENT_ID"],
    client_secret=os.environ["CLIENT_SECRET"],
    client_kwargs={"scope": "openid profile email groups", "code_challenge_method": "S256"},
)


@app.route("/login")
def login():
    return oauth.rollcall.authorize_redirect(url_for("back", _external=True))


@app.route("/back")
def back():
    token = oauth.rollcall.authorize_access_token()
    session["token"] = {"access_token": token["access_token"], "token_type": token["token_type"]}
    return jsonify(claims=token["userinfo"], userinfo=oauth.rollcall.userinfo(token=token))


@app.route("/userinfo")
def userinfo():
    answer = oauth.rollcall.get(oauth.rollcall.load_server_metadata()["userinfo_endpoint"], token=session["token"])
    return jsonify(status=answer.status_code)


app.run(host="127.0.0.1", port=int(os.environ["PORT"]))
