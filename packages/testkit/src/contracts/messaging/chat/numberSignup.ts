import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { has } from "./has.ts"
import { ChannelSide, SignupSide } from "./sides.ts"

/** Contract of number signup through an app. Uses real time because of sockets. */
export const numberSignupContract = <E>(name: string, adapter: Layer.Layer<ChannelSide | SignupSide, E>): void =>
  withLayer(adapter, { excludeTestServices: true, timeout: "60 seconds" })(`NumberSignup: ${name}`, (it) => {
    it.effect("turns a signup's code into a right once", () =>
      Effect.gen(function* () {
        const { channel, line } = yield* ChannelSide
        const code = yield* (yield* SignupSide).signupCode
        const { exchangeCode } = yield* has(channel.signup)
        const accessToken = yield* exchangeCode(code)
        yield* (yield* has(channel.onboarding)).subscribe({ ...line, accessToken }, null)
        yield* (yield* has(channel.checking)).check({ ...line, accessToken })
        const error = yield* Effect.flip(exchangeCode(code))
        assert.strictEqual(error._tag, "SignupCodeRefused")
      })
    )

    it.effect("says that the account must be connected again when its right has ended", () =>
      Effect.gen(function* () {
        const { channel, endedLine } = yield* ChannelSide
        const error = yield* Effect.flip((yield* has(channel.onboarding)).subscribe(endedLine, null))
        assert.include(error, { _tag: "OnboardingRefused", reason: "token_ended" })
      })
    )
  })
