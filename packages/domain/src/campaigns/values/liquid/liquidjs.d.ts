/** Declares the used part of liquidjs. Its browser build reads no files, and its own declarations would add all Node types to the domain. */
declare module "liquidjs/dist/liquid.browser.mjs" {
  interface Token {
    readonly kind: number
    readonly input: string
    readonly begin: number
    readonly end: number
  }

  interface OperatorToken extends Token {
    readonly operator: string
  }

  interface ContentToken extends Token {
    readonly content: unknown
  }

  interface PropertyAccessToken extends Token {
    readonly variable: Token | undefined
    readonly props: ReadonlyArray<Token | ContentToken>
  }

  interface FilterToken extends Token {
    readonly name: string
    readonly args: ReadonlyArray<Token | readonly [string?, Token?]>
  }

  interface FilteredValueToken extends Token {
    readonly initial: { readonly postfix: ReadonlyArray<Token> }
    readonly filters: ReadonlyArray<FilterToken>
  }

  interface DelimitedToken extends Token {
    readonly contentRange: [number, number]
  }

  interface TagToken extends DelimitedToken {
    readonly name: string
    readonly tokenizer: Tokenizer
  }

  /** Tokenizes a template. */
  class Tokenizer {
    constructor(input: string, operators?: undefined, file?: undefined, range?: [number, number])
    readTopLevelTokens(): Array<Token>
    readFilteredValue(): FilteredValueToken
    skipBlank(): void
    end(): boolean
    readonly p: number
  }

  const TypeGuards: {
    readonly isHTMLToken: (token: Token) => boolean
    readonly isOutputToken: (token: Token) => token is DelimitedToken
    readonly isTagToken: (token: Token) => token is TagToken
    readonly isOperatorToken: (token: Token) => token is OperatorToken
    readonly isQuotedToken: (token: Token) => token is ContentToken
    readonly isLiteralToken: (token: Token) => token is ContentToken
    readonly isNumberToken: (token: Token) => token is ContentToken
    readonly isPropertyAccessToken: (token: Token) => token is PropertyAccessToken
  }

  /** A value that defines its own comparison. */
  class Drop {
    valueOf(): unknown
  }

  interface FilterThis {
    readonly context: {
      readonly memoryLimit: { readonly use: (count: number) => void }
      /** Scope of the rendering. */
      readonly environments: object
    }
  }

  type FilterHandler = (this: FilterThis, value: unknown, ...args: ReadonlyArray<unknown>) => unknown

  interface Template {
    readonly token: Token
  }

  class Liquid {
    constructor(options: {
      readonly ownPropertyOnly: boolean
      readonly strictFilters: boolean
      readonly parseLimit: number
      readonly memoryLimit: number
      readonly templates: Readonly<Record<string, string>>
      readonly outputEscape: (this: FilterThis, value: unknown) => string
    })
    readonly filters: Record<string, FilterHandler>
    readonly tags: Record<string, unknown>
    parse(source: string): ReadonlyArray<Template>
    /** A value with its filters, as written between the braces of an output. */
    evalValueSync(value: string, scope: object): unknown
    renderSync(templates: ReadonlyArray<Template>, scope: object): unknown
  }
}
