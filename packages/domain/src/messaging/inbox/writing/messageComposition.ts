import { Effect } from "effect"
import { type ValidationIssue, invalid, NotFound, ValidationFailed } from "../../../kernel/index.ts"
import { type ChatAccountId, type Interactive, interactiveFiles, interactiveText } from "../../chat/index.ts"
import { type ConversationId, MediaId, type Message, type MessageId, type NewMessage } from "../Message.ts"
import { Messages } from "../Messages.ts"
import { validateInteractive } from "./interactiveRules.ts"
import { validateProviderPayload } from "./providerPayload.ts"
import { chosenFile } from "./messageFiles.ts"
import { claimSendableFile, resolveTemplate } from "./templateMessages.ts"

/** Content of a message as stored. */
export type MessageContent = Pick<
  Message,
  "kind" | "text" | "media" | "template" | "interactive" | "location" | "contacts" | "raw" | "replyToId"
>

const empty = {
  text: null,
  media: null,
  template: null,
  interactive: null,
  location: null,
  contacts: null,
  raw: null
} as const

/** Refuses a reply to a message without a known id at the provider. */
const checkReply = Effect.fnUntraced(function* (conversationId: ConversationId, id: MessageId) {
  const pointer = "/replyToId"
  const answered = yield* Effect.mapError(
    (yield* Messages).get(conversationId, id),
    () => new NotFound({ resource: "message", pointer })
  )
  if (answered.providerMessageId === null) {
    return yield* invalid(pointer, "Expected a message that has reached the chat provider")
  }
})

const failWith = (errors: ReadonlyArray<ValidationIssue>) =>
  errors.length === 0 ? Effect.void : Effect.fail(new ValidationFailed({ errors }))

/** Refuses an interactive message that the provider would refuse, and marks its files as used. */
const checkInteractive = Effect.fnUntraced(function* (interactive: Interactive) {
  yield* failWith(validateInteractive(interactive, "/interactive"))
  for (const { kind, mediaId, pointer } of interactiveFiles(interactive)) {
    yield* claimSendableFile(MediaId.make(mediaId), kind, `/interactive${pointer}`)
  }
})

const plainKinds = ["text", "location", "contacts"] as const

/** Message with all of its content in the request. */
export type PlainMessage = Extract<NewMessage, { readonly kind: (typeof plainKinds)[number] }>

/** Whether the content of a message needs no reading. */
export const isPlainMessage = (input: NewMessage): input is PlainMessage =>
  input.replyToId === undefined && plainKinds.some((kind) => kind === input.kind)

/** Converts plain input into stored content. */
export const composePlain = (input: PlainMessage): MessageContent => ({
  ...plainParts(input),
  kind: input.kind,
  replyToId: null
})

const plainParts = (input: PlainMessage): Omit<MessageContent, "kind" | "replyToId"> => {
  switch (input.kind) {
    case "text":
      return { ...empty, text: input.text, ...(input.linkPreview === true && { raw: { linkPreview: true } }) }
    case "location": {
      const { address = null, latitude, longitude, name = null } = input.location
      return { ...empty, location: { latitude, longitude, name, address } }
    }
    case "contacts":
      return { ...empty, contacts: input.contacts }
  }
}

const voiceType = "audio/ogg"

const buildContent = Effect.fnUntraced(function* (input: NewMessage, chatAccountId: ChatAccountId) {
  switch (input.kind) {
    case "text":
    case "location":
    case "contacts":
      return plainParts(input)
    case "image":
    case "video":
    case "audio":
    case "document":
    case "sticker": {
      if (input.caption !== undefined && (input.kind === "audio" || input.kind === "sticker")) {
        return yield* invalid("/caption", `A message of the kind ${input.kind} cannot have a caption`)
      }
      const media = yield* chosenFile(input, chatAccountId)
      const isVoice = input.kind === "audio" && input.voice === true
      if (isVoice && media.mimeType !== voiceType) {
        return yield* invalid("/voice", `Expected a file of the type ${voiceType} for a voice message`)
      }
      return { ...empty, text: input.caption ?? null, media, ...(isVoice && { raw: { voice: true } }) }
    }
    case "interactive":
      yield* checkInteractive(input.interactive)
      return { ...empty, text: interactiveText(input.interactive), interactive: input.interactive }
    case "provider":
      yield* failWith(validateProviderPayload(input.payload))
      return { ...empty, raw: input.payload }
    case "reaction":
      return { ...empty, text: input.emoji }
    case "template":
      return { ...empty, ...(yield* resolveTemplate(input.template, chatAccountId)) }
  }
})

/** Converts the team's input into stored content. Fails if it cannot be sent. */
export const compose = Effect.fnUntraced(function* (
  input: NewMessage,
  { chatAccountId, conversationId }: { readonly chatAccountId: ChatAccountId; readonly conversationId: ConversationId }
) {
  const parts: Omit<MessageContent, "kind" | "replyToId"> = yield* buildContent(input, chatAccountId)
  const { kind, replyToId = null } = input
  if (replyToId !== null) yield* checkReply(conversationId, replyToId)
  return { ...parts, kind, replyToId } satisfies MessageContent
})
