import { Context, Effect, Layer } from "effect"
import type { DeliveryReading } from "./DeliveryReading.ts"
import type { EndpointPolicy } from "./EndpointPolicy.ts"
import { UnsupportedByChannel } from "./Errors.ts"
import type { MediaTransfer } from "./MediaTransfer.ts"
import type { MessageSending } from "./MessageSending.ts"
import type { NumberChecking } from "./NumberChecking.ts"
import type { NumberSignup } from "./NumberSignup.ts"
import type { TemplateApproval } from "./TemplateApproval.ts"

/** What a provider of chat can do; `null` where it has no such thing. */
export interface ChatChannel {
  readonly sending: MessageSending
  readonly deliveries: DeliveryReading
  readonly endpoints: EndpointPolicy | null
  readonly checking: NumberChecking | null
  readonly media: MediaTransfer | null
  readonly templates: TemplateApproval | null
  readonly signup: NumberSignup | null
}

/** The channels of this service, by the `provider` of the accounts that go through them. */
export class ChatChannels extends Context.Service<ChatChannels, ReadonlyMap<string, ChatChannel>>()(
  "@parley/domain/messaging/chat/ChatChannels"
) {}

/** Registers these channels, each under the name of its provider. */
export const layerChatChannels = <E, R>(channels: Readonly<Record<string, Effect.Effect<ChatChannel, E, R>>>) =>
  Layer.effect(
    ChatChannels,
    Effect.map(Effect.all(channels), (made) => new Map<string, ChatChannel>(Object.entries(made)))
  )

/** What the channel of an account does for this need. Refuses where it does nothing for it. */
export const channelFor = Effect.fnUntraced(function* <Need extends keyof ChatChannel>(
  { provider }: { readonly provider: string },
  need: Need
) {
  const found = (yield* ChatChannels).get(provider)?.[need] ?? null
  return found === null ? yield* new UnsupportedByChannel({ provider, need }) : found
})
