import { createParley, type ParleyOptions, type TokenPair } from "../../src/index.ts"
import { virtualTime } from "./time.ts"
import { baseUrl, json, problem } from "./wire.ts"

const page = json({ data: [], nextCursor: null })

export const pairOf = (number: number): TokenPair => ({ accessToken: `a${number}`, refreshToken: `r${number}` })

/** A service with one session. The pairs have numbers, and only the newest is good. */
export const givenSession = () => {
  const time = virtualTime()
  const exchanges: Array<string> = []
  const answered = new Map<string, Response>()
  let newest = 1
  let isExpired = false
  let lostAnswers = 0

  const exchange = async (request: Request) => {
    const key = request.headers.get("idempotency-key") ?? ""
    const { refreshToken } = await request.json()
    exchanges.push(`${refreshToken} ${key}`)
    if (!answered.has(key)) {
      if (refreshToken !== `r${newest}`) return problem(409, "refresh_superseded")
      newest += 1
      isExpired = false
      answered.set(key, json(pairOf(newest)))
    }
    if (lostAnswers-- > 0) throw new TypeError("fetch failed")
    return answered.get(key)?.clone() ?? page
  }

  const answer: typeof fetch = async (url, init) => {
    const request = new Request(url, init)
    if (request.url.endsWith("/auth/refresh")) return exchange(request)
    const isGood = !isExpired && request.headers.get("authorization") === `Bearer a${newest}`
    return isGood ? page.clone() : problem(401, "token_expired")
  }

  return {
    time,
    /** Refresh tokens that were sent, with their keys. */
    exchanges,
    client: (options: object) =>
      createParley({ baseUrl, fetch: answer, sleep: time.sleep, ...options } satisfies ParleyOptions),
    expire: () => {
      isExpired = true
    },
    loseAnswers: (count: number) => {
      lostAnswers = count
    }
  }
}
