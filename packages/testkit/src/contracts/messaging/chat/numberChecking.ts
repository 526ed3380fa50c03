import { assert, layer as withLayer } from "@effect/vitest"
import { parseProviderNumber } from "@parley/domain/crm"
import { Effect, type Layer } from "effect"
import { has } from "./has.ts"
import { ChannelSide, NumberSide } from "./sides.ts"

/** Contract of number checks at a provider. Uses real time because of sockets. */
export const numberCheckingContract = <E>(name: string, adapter: Layer.Layer<ChannelSide | NumberSide, E>): void =>
  withLayer(adapter, { excludeTestServices: true, timeout: "60 seconds" })(`NumberChecking: ${name}`, (it) => {
    it.effect("tells how a number is doing", () =>
      Effect.gen(function* () {
        const { channel, line } = yield* ChannelSide
        const health = yield* (yield* has(channel.checking)).check(line)
        assert.match(parseProviderNumber(health.displayPhone) ?? "none", /^\+\d+$/u)
        assert.deepStrictEqual(
          [health.quality, health.sending, health.throughputPerSecond, health.issues],
          ["green", "available", 80, []]
        )
      })
    )

    it.effect("reports an unknown number", () =>
      Effect.gen(function* () {
        const { channel } = yield* ChannelSide
        const { unknownLine } = yield* NumberSide
        const error = yield* Effect.flip((yield* has(channel.checking)).check(unknownLine))
        assert.include(error, { _tag: "ChannelRefused", remedy: "give_up" })
      })
    )

    it.effect("says that the account must be connected again when its right has ended", () =>
      Effect.gen(function* () {
        const { channel, endedLine } = yield* ChannelSide
        const error = yield* Effect.flip((yield* has(channel.checking)).check(endedLine))
        assert.include(error, { _tag: "ChannelRefused", remedy: "reauthorize" })
      })
    )
  })
