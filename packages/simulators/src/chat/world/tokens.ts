/** Access token with its scope. */
export interface Token {
  readonly value: string
  /** Business accounts that it can use. */
  readonly businesses: Set<string>
  readonly appId: string
  readonly issuedAt: number
  /** Unix milliseconds. */
  expiresAt: number | null
  isRevoked: boolean
  scopes: ReadonlyArray<string>
}

export const allScopes = ["whatsapp_business_management", "whatsapp_business_messaging"] as const

/** Tokens, and the business accounts that they can use. */
export const makeTokens = (appId: string, now: () => number) => {
  const tokens = new Map<string, Token>()
  return {
    get: (value: string) => tokens.get(value),
    all: () => tokens.values(),
    grant: (value: string, businessId: string): Token => {
      const token = tokens.get(value) ?? {
        value,
        businesses: new Set<string>(),
        appId,
        issuedAt: now(),
        expiresAt: null,
        isRevoked: false,
        scopes: allScopes
      }
      token.businesses.add(businessId)
      tokens.set(value, token)
      return token
    },
    isValid: ({ expiresAt, isRevoked }: Token) => !isRevoked && (expiresAt === null || expiresAt > now())
  }
}
export type Tokens = ReturnType<typeof makeTokens>
