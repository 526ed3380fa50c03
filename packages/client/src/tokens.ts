import type { ParleyProblem } from "./problem.ts"

/**
 * Returns the token for the next request. After the service refused a token as expired, it receives that token and returns a new one; if it returns
 * the same one, the call fails with `token_expired`.
 */
export type TokenSource = (expired?: string) => string | Promise<string>

/** An access token, and the refresh token that is exchanged for the next pair. */
export interface TokenPair {
  readonly accessToken: string
  readonly refreshToken: string
}

/** A session of a member. The client exchanges the refresh token when the access token has expired. */
export interface Session extends TokenPair {
  /** Stores each new pair. Calls wait for it, because the previous refresh token is spent. */
  readonly save?: (tokens: TokenPair) => void | Promise<void>
  /** Reads the pair that other tabs or processes of the session stored. Then one of them refreshes, and all use the result. */
  readonly load?: () => TokenPair | null | Promise<TokenPair | null>
}

/** Exchanges a refresh token. The key makes a repetition safe after a lost answer. */
export type Exchange = (refreshToken: string, idempotencyKey: string) => Promise<TokenPair | ParleyProblem>

/** The tokens of a client. */
export interface Tokens {
  readonly current: () => string | Promise<string>
  readonly renew: (expired: string) => Promise<string>
  /** Number of renewals for one call. A pair that another process stored can be expired too. */
  readonly renewals: number
}

/** Calls whose token expired at the same time share one renewal. */
const shared = (renew: (expired: string) => Promise<string>) => {
  let last: { readonly expired: string; readonly renewed: Promise<string> } | null = null
  return (expired: string): Promise<string> => {
    if (last?.expired === expired) return last.renewed
    const renewed = renew(expired)
    last = { expired, renewed }
    const forget = () => {
      if (last?.renewed === renewed) last = null
    }
    renewed.then((token) => token === expired && forget(), forget)
    return renewed
  }
}

/** Tokens of an application that gets them itself. */
export const tokensOf = (source: string | TokenSource): Tokens => {
  const get = typeof source === "string" ? () => source : source
  return { current: () => get(), renew: shared(async (expired) => get(expired)), renewals: 1 }
}

/** How often, and after how many milliseconds, the client looks for the pair of another process. */
const looks = { times: 100, pause: 100 }

/** An idempotency key that cannot be guessed. `randomUUID` exists on secure pages only. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")

/** Tokens of a session. An exchange keeps its key until its answer has arrived, so a lost answer does not end the session. */
export const tokensOfSession = (
  session: Session,
  exchange: Exchange,
  pause: (milliseconds: number) => Promise<void>
): Tokens => {
  const { load, save } = session
  let held: TokenPair = session
  let key = newKey()
  const hold = (pair: TokenPair) => {
    held = pair
    key = newKey()
    return pair.accessToken
  }
  const takeOver = async () => {
    const stored = await load?.()
    if (stored === undefined || stored === null || stored.accessToken === held.accessToken) return null
    return hold(stored)
  }
  const awaitStored = async (problem: ParleyProblem) => {
    const times = load === undefined ? 0 : looks.times
    for (let look = 0; look < times; look++) {
      const token = await takeOver()
      if (token !== null) return token
      await pause(looks.pause)
    }
    throw problem
  }
  const renew = shared(async (expired) => {
    if (held.accessToken !== expired) return held.accessToken
    const stored = await takeOver()
    if (stored !== null) return stored
    const pair = await exchange(held.refreshToken, key)
    if (!("accessToken" in pair)) {
      if (pair.code === "refresh_superseded") return awaitStored(pair)
      throw pair
    }
    const token = hold(pair)
    await save?.(pair)
    return token
  })
  return { current: () => held.accessToken, renew, renewals: load === undefined ? 1 : 2 }
}
