/** What the page uses of Swagger UI, which brings no types. Its components are those of its own React. */
declare module '@fastify/swagger-ui/static/swagger-ui-bundle.js' {
  type Component = (props: { text?: string }) => unknown

  export interface System {
    React: { createElement: (type: Component | string, props: object | null, ...children: unknown[]) => unknown }
    authActions: { authorize: (credentials: object) => void }
    specActions: { updateJsonSpec: (document: unknown) => unknown; updateSpec: (text: string) => void }
  }

  export interface Plugin {
    fn?: Record<string, unknown>
    statePlugins?: Record<
      string,
      { wrapActions: Record<string, (original: unknown, system: System) => (...values: never[]) => unknown> }
    >
    wrapComponents?: Record<string, (original: Component, system: System) => Component>
  }

  interface Options {
    domNode: Element
    spec: object
    plugins: Plugin[]
    deepLinking: boolean
    displayRequestDuration: boolean
    docExpansion: 'list' | 'full' | 'none'
    persistAuthorization: boolean
    syntaxHighlight: { theme: string }
    tryItOutEnabled: boolean
    validatorUrl: null
    onComplete: () => void
  }

  const SwaggerUI: (options: Options) => System
  export default SwaggerUI
}
