import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { LookupAddress } from "node:dns"
import { makeResolvedLookup } from "../../src/webhooks/WebhookSender.ts"
import { nameServer } from "./nameServer.ts"

const names = {
  "both.example": ["93.184.216.34", "2606:2800:220:1::1", "93.184.216.35"],
  "old.example": ["93.184.216.34"],
  "new.example": ["2606:2800:220:1::1"],
  "inside.example": ["93.184.216.34", "10.0.0.1"],
  "silent.example": "silence"
} as const

interface Answer {
  readonly code: string | null
  readonly addresses: ReadonlyArray<string>
}

const ask = (server: string, hostname: string) =>
  Effect.callback<Answer>((resume) => {
    makeResolvedLookup([server])(hostname, { all: true }, (error, found: ReadonlyArray<LookupAddress>) => {
      const addresses = found.map(({ address, family }) => `${address} ${family}`)
      resume(Effect.succeed({ code: error?.code ?? null, addresses }))
    })
  })

describe("the addresses of receivers", () => {
  it.live("are all addresses of both kinds from the name servers, IPv4 first", () =>
    Effect.gen(function* () {
      const { address, asked } = yield* nameServer(names)
      assert.deepStrictEqual(yield* ask(address, "both.example"), {
        code: null,
        addresses: ["93.184.216.34 4", "93.184.216.35 4", "2606:2800:220:1::1 6"]
      })
      assert.deepStrictEqual((yield* ask(address, "old.example")).addresses, ["93.184.216.34 4"])
      assert.deepStrictEqual((yield* ask(address, "new.example")).addresses, ["2606:2800:220:1::1 6"])
      // A later check tests all of them for public addresses.
      assert.deepStrictEqual((yield* ask(address, "inside.example")).addresses, ["93.184.216.34 4", "10.0.0.1 4"])
      assert.include(asked, "both.example AAAA")
    }).pipe(Effect.scoped)
  )

  it.live("are empty for unknown names, and a literal address needs no lookup", () =>
    Effect.gen(function* () {
      const { address, asked } = yield* nameServer(names)
      assert.deepStrictEqual(yield* ask(address, "absent.example"), { code: "ENOTFOUND", addresses: [] })
      const before = asked.length
      assert.deepStrictEqual((yield* ask(address, "93.184.216.34")).addresses, ["93.184.216.34 4"])
      assert.deepStrictEqual((yield* ask(address, "::1")).addresses, ["::1 6"])
      assert.lengthOf(asked, before)
    }).pipe(Effect.scoped)
  )

  it.live("of a name server that does not answer are given up, and hold up no other name", () =>
    Effect.gen(function* () {
      const { address } = yield* nameServer(names)
      const order: Array<string> = []
      const [silent] = yield* Effect.all(
        [
          Effect.tap(ask(address, "silent.example"), () => Effect.sync(() => order.push("silent"))),
          Effect.tap(ask(address, "old.example"), () => Effect.sync(() => order.push("old")))
        ],
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual([silent.code, silent.addresses, order], ["ETIMEOUT", [], ["old", "silent"]])
    }).pipe(Effect.scoped)
  )
})
