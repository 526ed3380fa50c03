import { Effect, Schedule } from "effect"
import { nextId, useCase } from "../../../kernel/index.ts"
import { addAccount, checkRoom } from "../addAccount.ts"
import { askHealth } from "../askHealth.ts"
import type { PlatformSignup } from "../ChatAccount.ts"
import { channelFor } from "../ChatChannels.ts"
import { ChatSettings } from "../ChatSettings.ts"
import { PlatformAppAbsent, SignupInterrupted } from "../Errors.ts"
import { ChatAccountId } from "../Ids.ts"
import type { Line } from "../Line.ts"
import type { NumberSignup } from "../NumberSignup.ts"
import { sealSecret } from "../secrets.ts"
import { shownAccount } from "../shown.ts"

/** The code is spent by now: a moment in which the provider is away shall not lose the signup. */
const patiently = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.retry(effect, {
    schedule: Schedule.exponential("200 millis"),
    times: 3,
    while: ({ _tag }) => _tag === "ChannelUnreachable"
  })

const admitted = Effect.fnUntraced(
  function* (provider: string, signup: NumberSignup, line: Line) {
    // The token must be able to use the number: whose signup it is, is known from nothing else.
    const health = yield* askHealth(provider, line).pipe(patiently)
    yield* signup.subscribe(line).pipe(patiently)
    return health
  },
  Effect.catchTag("ChannelUnreachable", () => Effect.fail(new SignupInterrupted()))
)

/** Connects a number through the platform app, from the code that its signup has given. A code is good once. */
export const connectThroughPlatformApp = useCase(
  "chatAccounts.signUp",
  { access: { permission: "chat_accounts.manage" } },
  Effect.fnUntraced(function* ({ code, displayName, externalAccountId, externalPhoneId }: PlatformSignup) {
    const { platformApp } = yield* ChatSettings
    if (platformApp === null) return yield* new PlatformAppAbsent()
    const { provider } = platformApp
    const signup = yield* channelFor(platformApp, "signup")
    // The provider takes the code once: what can be refused without it is refused before.
    yield* checkRoom({ provider, externalPhoneId })
    const accessToken = yield* signup.exchangeCode(code)
    const health = yield* admitted(provider, signup, {
      accessToken,
      phoneId: externalPhoneId,
      businessId: externalAccountId
    })
    const account = yield* addAccount(
      yield* nextId(ChatAccountId),
      { provider, mode: "platform_app", displayName, externalAccountId, externalPhoneId, url: null },
      health,
      Effect.fnUntraced(function* (id) {
        return {
          accessToken: yield* sealSecret(id, "access_token", accessToken),
          appSecret: null,
          formerAppSecret: null,
          verifyToken: null
        }
      })
    )
    return yield* shownAccount(account)
  })
)
