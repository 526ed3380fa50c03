import { type ChatChannel, ChatChannels } from "@parley/domain/messaging"
import { Context, Effect, Layer } from "effect"
import { ChatScript } from "./channel/ChatScript.ts"
import { makeProvider } from "./channel/provider.ts"
import { deliveries, endpointDeliveries } from "./channel/deliveries.ts"
import { makeChecking } from "./channel/numbers.ts"
import { makeMedia } from "./channel/media.ts"
import { makeSending } from "./channel/sending.ts"
import { makeTemplates } from "./channel/templates.ts"
import { makeOnboarding, makeSignup } from "./channel/onboarding.ts"
import type { WholeChannel } from "./channel/WholeChannel.ts"
import { makeScript } from "./channel/makeScript.ts"

export { ChatScript, type NextSend, type SentMessage } from "./channel/ChatScript.ts"
export { signatureHeader } from "./channel/deliveries.ts"
export type { WholeChannel } from "./channel/WholeChannel.ts"

/** Provider that this channel simulates. */
const name = "whatsapp"

const make = () => {
  const provider = makeProvider()
  const channel: WholeChannel = {
    sending: makeSending(provider),
    media: makeMedia(provider),
    endpoints: null,
    checking: makeChecking(provider),
    templates: makeTemplates(provider),
    signup: makeSignup(provider),
    onboarding: makeOnboarding(provider),
    deliveries
  }
  const ofEndpoints: ChatChannel = {
    sending: {
      ...channel.sending,
      kinds: new Set(["text"]),
      reaches: new Set(["external", "phone"]),
      hasServiceWindow: false
    },
    deliveries: endpointDeliveries,
    endpoints: { loopback: false },
    checking: channel.checking,
    media: null,
    templates: null,
    signup: null,
    onboarding: null
  }
  const channels = new Map<string, ChatChannel>([
    [name, channel],
    ["webhook", ofEndpoints]
  ])
  return Context.make(ChatChannels, channels).pipe(Context.add(ChatScript, makeScript(provider)))
}

/** In-memory channel for WhatsApp, a second channel for accounts with their own address, and the script of both. */
export const layer: Layer.Layer<ChatChannels | ChatScript> = Layer.effectContext(Effect.sync(make))

const has = <Need extends keyof ChatChannel>(channel: ChatChannel, need: Need) => Effect.fromNullishOr(channel[need])

/** The channel of WhatsApp, with everything that there is. */
export const whole = Effect.gen(function* () {
  const channel = yield* Effect.fromNullishOr((yield* ChatChannels).get(name))
  return {
    sending: channel.sending,
    deliveries: channel.deliveries,
    endpoints: channel.endpoints,
    checking: yield* has(channel, "checking"),
    media: yield* has(channel, "media"),
    templates: yield* has(channel, "templates"),
    signup: yield* has(channel, "signup"),
    onboarding: yield* has(channel, "onboarding")
  } satisfies WholeChannel
}).pipe(Effect.orDie)

/** Runs the effect with another WhatsApp channel, which can override parts of the default one. */
export const through =
  (channel: Partial<ChatChannel>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.updateService(effect, ChatChannels, (channels) => {
      const before = channels.get(name)
      return before === undefined ? channels : new Map([...channels, [name, { ...before, ...channel }]])
    })
