import { DateTime, Effect, Option } from "effect"
import { ContactFields } from "../../crm/index.ts"
import {
  activeRestriction,
  ChannelUnreachable,
  channelFor,
  type ChatAccount,
  ChatAccounts,
  fileKindOf,
  type ProviderConnection,
  type MessageSender,
  type MessageTemplate,
  MessageTemplates,
  openProviderConnection
} from "../../messaging/chat/index.ts"
import { uploadToProvider, MediaId } from "../../messaging/inbox/index.ts"
import { Organizations } from "../../platform/identity/index.ts"
import { type Broadcast, type BroadcastRefusal, broadcastMessages, type VariantKey } from "../Broadcast.ts"
import { type BroadcastSettings, StoredBroadcastSettings } from "../BroadcastSettings.ts"
import { makeVariablesRenderer } from "../values/variablesRenderer.ts"

/** A message of a broadcast, ready to fill for a contact. */
export interface ReadyMessage {
  readonly template: MessageTemplate
  /** Whether all recipients get the same values. */
  readonly isSameForAll: boolean
  readonly render: ReturnType<typeof makeVariablesRenderer>
}

/** Everything that a send needs, read right before the claim. */
export interface SendContext {
  readonly unfit?: undefined
  readonly account: ChatAccount
  readonly line: ProviderConnection
  readonly sending: MessageSender
  readonly messages: ReadonlyMap<VariantKey | null, ReadyMessage>
  /** Header files at the provider, by media id. */
  readonly files: ReadonlyMap<string, ProviderFile>
  readonly isMarketing: boolean
  readonly settings: BroadcastSettings
  readonly zone: string
}

/** A file at the provider. */
export interface ProviderFile {
  readonly mediaId: string
  readonly filename: string | null
}

/** Reason why a broadcast cannot continue. */
export type Unsendable =
  | { readonly unfit: "chat_account_removed" }
  | { readonly unfit: "chat_account_disconnected" }
  | { readonly unfit: "template"; readonly refusal: BroadcastRefusal | null }
  | { readonly unfit: "suspended" }

/** Returns the zone with this name, or UTC if the runtime does not know the name. */
export const toTimeZone = (name: string): DateTime.TimeZone =>
  Option.getOrElse(DateTime.zoneFromString(name), () => DateTime.zoneMakeOffset(0))

const isFile = ({ kind }: MessageTemplate["variables"][number]) => fileKindOf(kind) !== null

/** Explains a template without approval by the reason and the required change that the provider has reported. */
const describeStatus = ({ name, rejectionAdvice, rejectionReason, status, statusReason }: MessageTemplate) => {
  const cause = rejectionReason ?? statusReason
  const sentence = `The message template ${name} is ${status}${cause === null ? "" : ` (${cause})`}.`
  const advice = rejectionAdvice ?? "Resume the broadcast when the template is approved."
  return { code: null, reason: `${sentence} ${advice}` }
}

/** Loads the send context of a broadcast, or the reason why it cannot be sent. `files` caches uploads to the provider. */
export const loadSendContext = Effect.fnUntraced(function* (broadcast: Broadcast, files: Map<string, ProviderFile>) {
  const organization = yield* (yield* Organizations).current()
  if (organization.status === "suspended") return { unfit: "suspended" } satisfies Unsendable
  const { chatAccountId } = broadcast
  const [account] = chatAccountId === null ? [] : yield* (yield* ChatAccounts).find([chatAccountId])
  if (account === undefined) return { unfit: "chat_account_removed" } satisfies Unsendable
  const restriction = activeRestriction(account, "business_initiated_messages", yield* DateTime.now)
  if (account.status === "disconnected" || restriction !== null) {
    return { unfit: "chat_account_disconnected" } satisfies Unsendable
  }
  const line = yield* Effect.option(openProviderConnection(account))
  if (line._tag === "None") return { unfit: "chat_account_removed" } satisfies Unsendable
  const sending = yield* Effect.option(channelFor(account, "sending"))
  if (sending._tag === "None") return { unfit: "chat_account_disconnected" } satisfies Unsendable
  const input = broadcastMessages(broadcast)
  const ids = input.flatMap(({ templateId }) => templateId ?? [])
  const templates = yield* (yield* MessageTemplates).find(ids)
  const fields = yield* (yield* ContactFields).all()
  const messages = new Map<VariantKey | null, ReadyMessage>()
  for (const { templateId, variables, variant } of input) {
    const template = templates.find(({ id }) => id === templateId)
    if (template?.status !== "approved") {
      return {
        unfit: "template",
        refusal: template === undefined ? null : describeStatus(template)
      } satisfies Unsendable
    }
    const { language, variables: declared } = template
    for (const { key } of declared.filter(isFile)) {
      const value = variables[key]
      if (value?.kind !== "constant" || files.has(value.value)) continue
      const file = yield* Effect.catchTags(uploadToProvider({ account, line: line.value }, MediaId.make(value.value)), {
        CannotSend: () => Effect.succeed(null),
        MediaUnavailable: () => Effect.fail(new ChannelUnreachable())
      })
      if (file === null) return { unfit: "template", refusal: null } satisfies Unsendable
      files.set(value.value, file)
    }
    messages.set(variant, {
      template,
      isSameForAll: Object.values(variables).every(({ kind }) => kind === "constant"),
      render: makeVariablesRenderer(variables, { fields, language, variables: declared })
    })
  }
  const settings = yield* (yield* StoredBroadcastSettings).get()
  return {
    account,
    line: line.value,
    sending: sending.value,
    messages,
    files,
    isMarketing: templates.some(({ category }) => category === "marketing"),
    settings,
    zone: organization.timezone
  } satisfies SendContext
})
