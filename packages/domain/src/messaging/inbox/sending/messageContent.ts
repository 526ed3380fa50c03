import { Bytes, Effect, Predicate, Schema, Stream } from "effect"
import {
  channelFor,
  type ChatAccount,
  filesOfTemplate,
  fillTemplate,
  type Interactive,
  interactiveFiles,
  type ProviderConnection,
  MessageTemplates,
  type OutgoingContent,
  type FilledTemplate,
  withInteractiveFiles,
  withTemplateFiles
} from "../../chat/index.ts"
import { type ConversationId, MediaId, type Message, MessageError, type MessageId } from "../Message.ts"
import { Messages } from "../Messages.ts"
import { toProviderMessageId } from "../followingFiles.ts"
import { MediaTransferLocks, openMedia } from "../mediaDownloads.ts"
import { withOneTimeCode } from "../writing/oneTimeCodes.ts"

/** Failure of a message that cannot be sent and that a retry would not help. */
export class CannotSend extends Schema.TaggedError<CannotSend>()("CannotSend", {
  error: MessageError
}) {
  override get message() {
    return this.error.reason
  }
}

/** Creates the failure of a message, found before any call of the provider. */
export const cannotSend = (code: string, reason: string) =>
  new CannotSend({ error: { code, providerCode: null, reason } })

const mediaMissing = cannotSend(
  "media_missing",
  "The file of the message no longer exists, or its link does not lead to a file of this kind."
)

/** Up to this size, the files of all messages in flight fit into memory. */
const maxSmallFileBytes = 5 * 1024 * 1024

/** Number that a message goes over, and its channel. */
export interface SendConnection {
  readonly account: ChatAccount
  readonly line: ProviderConnection
}

/** Uploads the file to the provider, which needs it before the message that names it. Idempotent. */
export const uploadToProvider = Effect.fnUntraced(
  function* ({ account, line }: SendConnection, id: MediaId) {
    const transfer = yield* channelFor(account, "media")
    const { bytes, media } = yield* openMedia(id)
    const { filename, kind, mimeType, size } = media
    const { handingOn } = yield* MediaTransferLocks
    const handed = Effect.flatMap(Stream.runCollect(bytes), (pieces) =>
      transfer.upload(line, { bytes: Bytes.concat(pieces), mimeType, filename: filename ?? kind })
    )
    const mediaId = yield* size !== null && size <= maxSmallFileBytes ? handed : handingOn(handed)
    return { mediaId, filename }
  },
  Effect.catchTags({
    NotFound: () => Effect.fail(mediaMissing),
    MediaGone: () => Effect.fail(mediaMissing),
    UnsupportedByChannel: ({ message }) => Effect.fail(cannotSend("unsupported_by_channel", message))
  })
)

/** Returns the provider's id of the message that this one answers; `null` if the provider never received it. */
export const findRepliedProviderId = Effect.fnUntraced(function* (
  conversationId: ConversationId,
  id: MessageId | null
) {
  if (id === null) return null
  return yield* Effect.match(yield* Effect.map(Messages, (messages) => messages.get(conversationId, id)), {
    onSuccess: ({ providerMessageId }) => (providerMessageId === null ? null : toProviderMessageId(providerMessageId)),
    onFailure: () => null
  })
})

const fillMessageTemplate = Effect.fnUntraced(function* (
  sending: SendConnection,
  message: Message,
  use: NonNullable<Message["template"]>
) {
  const template = yield* Effect.catchTag(
    yield* Effect.map(MessageTemplates, (templates) => templates.get(use.id)),
    "NotFound",
    () => Effect.fail(cannotSend("template_missing", "The message template no longer exists."))
  )
  const values = yield* Effect.catchTag(withOneTimeCode(message), "OneTimeCodeErased", (error) =>
    Effect.fail(cannotSend("one_time_code_erased", error.message))
  )
  const filling = fillTemplate(template, values, "")
  if (hasIssues(filling)) {
    return yield* cannotSend("template_mismatch", "The message template has changed since the message was written.")
  }
  const files = new Map<string, Effect.Success<ReturnType<typeof uploadToProvider>>>()
  for (const { mediaId } of filesOfTemplate(filling)) {
    if (!files.has(mediaId)) files.set(mediaId, yield* uploadToProvider(sending, MediaId.make(mediaId)))
  }
  return files.size === 0 ? filling : withTemplateFiles(filling, (mediaId) => files.get(mediaId))
})

const hasIssues = (filling: ReturnType<typeof fillTemplate>): filling is Exclude<typeof filling, FilledTemplate> =>
  Array.isArray(filling)

/** Uploads the files of an interactive message, and names them by the ids of the provider. */
const uploadInteractiveFiles = Effect.fnUntraced(function* (sending: SendConnection, interactive: Interactive) {
  const files = interactiveFiles(interactive)
  if (files.length === 0) return interactive
  const uploaded = yield* Effect.forEach(files, ({ mediaId }) =>
    Effect.map(uploadToProvider(sending, MediaId.make(mediaId)), (file) => [mediaId, file] as const)
  )
  return withInteractiveFiles(interactive, new Map(uploaded))
})

const isJsonObject = (value: Schema.Json): value is { readonly [key: string]: Schema.Json } =>
  Predicate.isObject(value) && !Array.isArray(value)

/** Whether an option of an outgoing message is set. */
const hasOption = ({ raw }: Message, option: "linkPreview" | "voice"): boolean =>
  Predicate.hasProperty(raw, option) && raw[option] === true

const incompleteMessage = cannotSend("refused", "The message is not complete.")

/** Builds the content for the provider. */
export const buildOutgoingContent = Effect.fnUntraced(function* (sending: SendConnection, message: Message) {
  const { contacts, interactive, kind, location, media, raw, template, text } = message
  switch (kind) {
    case "text":
      if (text !== null) {
        return { kind, text, ...(hasOption(message, "linkPreview") && { linkPreview: true }) } satisfies OutgoingContent
      }
      break
    case "image":
    case "video":
    case "audio":
    case "document":
    case "sticker":
      if (media !== null) {
        const { mediaId } = yield* uploadToProvider(sending, media.id)
        const voice = kind === "audio" && hasOption(message, "voice") ? { voice: true } : {}
        return { kind, mediaId, caption: text, filename: media.filename, ...voice } satisfies OutgoingContent
      }
      break
    case "interactive":
      if (interactive !== null && interactive.type !== "reply") {
        return { kind, interactive: yield* uploadInteractiveFiles(sending, interactive) } satisfies OutgoingContent
      }
      break
    case "provider":
      if (isJsonObject(raw)) return { kind, payload: raw } satisfies OutgoingContent
      break
    case "location":
      if (location !== null) return { kind, ...location } satisfies OutgoingContent
      break
    case "contacts":
      if (contacts !== null) return { kind, contacts } satisfies OutgoingContent
      break
    case "reaction": {
      const to = yield* findRepliedProviderId(message.conversationId, message.replyToId)
      if (to !== null) return { kind, to, emoji: text ?? "" } satisfies OutgoingContent
      return yield* cannotSend(
        "reply_target_unknown",
        "The message that this one reacts to never reached the provider."
      )
    }
    case "template":
      if (template !== null)
        return { kind, template: yield* fillMessageTemplate(sending, message, template) } satisfies OutgoingContent
      break
    case "order":
    case "edit":
    case "revocation":
    case "system":
    case "unsupported":
      break
  }
  return yield* incompleteMessage
})
