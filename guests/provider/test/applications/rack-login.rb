# An application as GitLab and Mastodon sign people in: OmniAuth with its OpenID Connect strategy.
require 'json'
require 'omniauth'
require 'omniauth_openid_connect'
require 'rack'
require 'webrick'
require 'rack/handler/webrick'

issuer = URI(ENV.fetch('ISSUER'))
# Its library of discovery speaks https only, unless it is told otherwise.
SWD.url_builder = WebFinger.url_builder = URI::HTTP

application = Rack::Builder.new do
  use Rack::Session::Cookie, secret: 'only for this test' * 8
  use OmniAuth::Builder do
    provider :openid_connect,
             name: :openid_connect,
             issuer: issuer.to_s,
             discovery: true,
             response_type: :code,
             scope: %i[openid profile email groups],
             uid_field: 'preferred_username',
             client_options: {
               scheme: issuer.scheme,
               host: issuer.host,
               port: issuer.port,
               identifier: ENV.fetch('CLIENT_ID'),
               secret: ENV.fetch('CLIENT_SECRET'),
               redirect_uri: "#{ENV.fetch('ORIGIN')}/users/auth/openid_connect/callback"
             }
  end
  run lambda { |env|
    found = env['omniauth.auth']
    said = found ? { uid: found.uid, raw: found.extra.raw_info } : { error: env['omniauth.error.type'].to_s }
    [200, { 'content-type' => 'application/json' }, [said.to_json]]
  }
end

OmniAuth.config.path_prefix = '/users/auth'
OmniAuth.config.allowed_request_methods = %i[get post]
OmniAuth.config.silence_get_warning = true
OmniAuth.config.logger = Logger.new(File::NULL)
Rack::Handler::WEBrick.run(application, Host: '127.0.0.1', Port: Integer(ENV.fetch('PORT')), AccessLog: [],
                                        Logger: WEBrick::Log.new(File::NULL))
