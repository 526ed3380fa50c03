import { assert, describe, it } from "vitest"
import { isProblem, type TokenPair } from "../src/index.ts"
import { givenSession, pairOf } from "./support/sessions.ts"
import { settle } from "./support/time.ts"

const unaborted = new AbortController().signal

describe("a token", () => {
  it("comes from a function, which is asked for each call", async () => {
    const { client } = givenSession()
    let asked = 0
    const token = async () => {
      asked += 1
      return "a1"
    }
    const parley = client({ token }).throwing()
    await parley.tags.list()
    await parley.tags.list()
    assert.strictEqual(asked, 2)
  })

  it("is renewed by its function once for all calls that it expired for", async () => {
    const { client, expire } = givenSession()
    const expired: Array<string> = []
    let held = "a0"
    const token = async (old?: string) => {
      if (old !== undefined) {
        expired.push(old)
        held = "a1"
      }
      return held
    }
    const parley = client({ token })
    await Promise.all(Array.from({ length: 8 }, () => parley.throwing().tags.list()))
    assert.deepStrictEqual(expired, ["a0"])
    expire()
    assert.strictEqual((await parley.tags.list()).problem?.code, "token_expired")
  })

  it("that its function does not renew ends the call, and the next call asks again", async () => {
    const { client, expire } = givenSession()
    const asked: Array<string | undefined> = []
    const token = (expired?: string) => {
      asked.push(expired)
      return "a1"
    }
    const parley = client({ token })
    expire()
    assert.strictEqual((await parley.tags.list()).problem?.code, "token_expired")
    assert.strictEqual((await parley.tags.list()).problem?.code, "token_expired")
    assert.deepStrictEqual(asked, [undefined, "a1", undefined, "a1"])
  })

  it("that its function cannot get rejects the call with the error of the function", async () => {
    const failure = new Error("no vault")
    const parley = givenSession().client({ token: () => Promise.reject(failure) })
    const error: unknown = await parley.tags.list().catch((error: unknown) => error)
    assert.strictEqual(error, failure)
  })

  it("that is a text is not renewed", async () => {
    const { client, exchanges } = givenSession()
    assert.strictEqual((await client({ token: "a0" }).tags.list()).problem?.code, "token_expired")
    assert.isEmpty(exchanges)
  })

  it("that is late does not hold up a call that is aborted", async () => {
    const stop = new AbortController()
    const parley = givenSession().client({ token: () => new Promise(() => {}) })
    const call = parley.tags.list({}, { signal: stop.signal })
    stop.abort()
    assert.strictEqual((await call).problem?.code, "aborted")
  })
})

describe("a session", () => {
  it("is refreshed once for all calls, and stores the new pair before they continue", async () => {
    const { client, exchanges, expire } = givenSession()
    const events: Array<string> = []
    const save = async ({ accessToken, refreshToken }: TokenPair) => {
      await settle()
      events.push(`${accessToken} ${refreshToken}`)
    }
    const parley = client({ session: { ...pairOf(1), save } }).throwing()
    expire()
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        await parley.tags.list()
        events.push("answered")
      })
    )
    assert.deepStrictEqual([events[0], events.length, exchanges.length], ["a2 r2", 9, 1])
    expire()
    await parley.tags.list()
    assert.deepStrictEqual([events.at(-1), exchanges.length], ["a3 r3", 2])
  })

  it("repeats a refresh with the same key when its answer was lost", async () => {
    const { client, exchanges, expire, loseAnswers, time } = givenSession()
    expire()
    loseAnswers(1)
    await time.pass(
      client({ session: pairOf(1) })
        .throwing()
        .tags.list()
    )
    assert.deepStrictEqual([exchanges.length, new Set(exchanges).size], [2, 1])
  })

  it("continues in the next call when a refresh failed", async () => {
    const { client, exchanges, expire, loseAnswers } = givenSession()
    const parley = client({ session: pairOf(1), retry: { times: 0 } })
    expire()
    loseAnswers(1)
    assert.strictEqual((await parley.tags.list()).problem?.code, "connection_failed")
    assert.isDefined((await parley.tags.list()).data)
    assert.deepStrictEqual([exchanges.length, new Set(exchanges).size], [2, 1])
  })

  it("continues for others when a call is aborted in the refresh", async () => {
    const { client, exchanges, expire } = givenSession()
    const parley = client({ session: pairOf(1) })
    expire()
    const stop = new AbortController()
    const [aborted, other] = [parley.tags.list({}, { signal: stop.signal }), parley.tags.list()]
    await Promise.resolve()
    stop.abort()
    assert.strictEqual((await aborted).problem?.code, "aborted")
    assert.isDefined((await other).data)
    assert.lengthOf(exchanges, 1)
  })

  it("ends with the problem of its refresh", async () => {
    const { client, expire } = givenSession()
    expire()
    const parley = client({ session: pairOf(0) })
    assert.strictEqual((await parley.tags.list()).problem?.code, "refresh_superseded")
    const error: unknown = await parley
      .throwing()
      .tags.list()
      .catch((error: unknown) => error)
    assert.isTrue(isProblem(error, "refresh_superseded"))
  })

  it("of two tabs is refreshed by one when both need it, and the other waits for the stored pair", async () => {
    const { client, exchanges, expire, time } = givenSession()
    let stored = pairOf(1)
    const save = async (tokens: TokenPair) => {
      await time.sleep(250, unaborted)
      stored = tokens
    }
    const tab = () => client({ session: { ...pairOf(1), load: () => stored, save } }).throwing()
    const tabs = [tab(), tab()]
    expire()
    const pages = await time.pass(Promise.all(tabs.map((parley) => parley.tags.list())))
    assert.deepStrictEqual([pages.length, exchanges.length], [2, 2])
    expire()
    for (const parley of tabs) await time.pass(parley.tags.list())
    assert.deepStrictEqual([exchanges.length, stored], [3, pairOf(3)])
  })

  it("of two tabs ends when the pair of the other tab does not appear", async () => {
    const { client, expire, time } = givenSession()
    expire()
    const tab = () => client({ session: { ...pairOf(1), load: () => null } })
    const calls = [tab().tags.list(), tab().tags.list()]
    const codes = (await time.pass(Promise.all(calls))).map(({ problem }) => problem?.code)
    assert.sameMembers(codes, [undefined, "refresh_superseded"])
  })
})
