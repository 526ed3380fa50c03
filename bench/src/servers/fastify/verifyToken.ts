import { importJWK, type JWK, jwtVerify } from "jose"
import { hash } from "node:crypto"
import { issuer } from "../Setup.ts"

/** Claims of a valid token. */
export interface Caller {
  readonly userId: string
  readonly sessionId: string
  readonly expiresAt: number
}

/** Verifies a token. Throws for an invalid token. */
export type VerifyToken = (token: string, now: number) => Promise<Caller> | Caller

/** Verifies each token with jose, like most services. */
export const verifyEach = (keys: ReadonlyMap<string, JWK>): VerifyToken => {
  const imported = new Map(Array.from(keys, ([kid, jwk]) => [kid, importJWK(jwk, "EdDSA")]))
  return async (token) => {
    const { payload } = await jwtVerify(
      token,
      ({ kid = "" }) => {
        const key = imported.get(kid)
        if (key === undefined) throw new Error("unknown key")
        return key
      },
      { algorithms: ["EdDSA"], issuer, audience: "parley", typ: "at+jwt" }
    )
    const { exp, sid, sub } = payload
    if (typeof sid !== "string" || sub === undefined || exp === undefined) throw new Error("not a session token")
    return { userId: sub, sessionId: sid, expiresAt: exp * 1000 }
  }
}

/** Remembers verified tokens by their digest until they expire. */
export const verifyOnce = (verify: VerifyToken): VerifyToken => {
  const seen = new Map<string, Caller>()
  return async (token, now) => {
    const digest = hash("sha256", token, "base64url")
    const known = seen.get(digest)
    if (known !== undefined && now < known.expiresAt) return known
    const caller = await verify(token, now)
    if (seen.size >= 10_000) seen.clear()
    seen.set(digest, caller)
    return caller
  }
}
