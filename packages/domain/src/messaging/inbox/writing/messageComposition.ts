import { Effect } from "effect"
import { type ValidationIssue, invalid, NotFound, ValidationFailed } from "../../../kernel/index.ts"
import type { ChatAccountId, Interactive } from "../../chat/index.ts"
import type { ConversationId, Message, MessageId, NewMessage } from "../Message.ts"
import { Messages } from "../Messages.ts"
import { claimSendableFile, resolveTemplate } from "./templateMessages.ts"

const maxRows = 10

const duplicateIssues = (texts: ReadonlyArray<string>, pointerOf: (index: number) => string, what: string) =>
  texts.flatMap((text, index): ReadonlyArray<ValidationIssue> =>
    texts.indexOf(text) === index ? [] : [{ pointer: pointerOf(index), message: `Expected a unique ${what}` }]
  )

/** Returns the provider's rules for interactive messages that the schema cannot express, as issues. */
export const validateInteractive = (interactive: Interactive, pointer: string): ReadonlyArray<ValidationIssue> => {
  if (interactive.type === "buttons") {
    const { buttons } = interactive
    return [
      ...duplicateIssues(
        buttons.map(({ id }) => id),
        (index) => `${pointer}/buttons/${index}/id`,
        "an id"
      ),
      ...duplicateIssues(
        buttons.map(({ title }) => title),
        (index) => `${pointer}/buttons/${index}/title`,
        "a title"
      )
    ]
  }
  const { sections } = interactive
  const rows = sections.flatMap((section, at) =>
    section.rows.map(({ id }, row) => ({ id, pointer: `${pointer}/sections/${at}/rows/${row}/id` }))
  )
  return [
    ...(rows.length > maxRows
      ? [{ pointer: `${pointer}/sections`, message: `Expected at most ${maxRows} rows in total` }]
      : []),
    ...(sections.length > 1
      ? sections.flatMap(({ title }, at) =>
          title === undefined
            ? [
                {
                  pointer: `${pointer}/sections/${at}/title`,
                  message: "Expected a title, because there are several sections"
                }
              ]
            : []
        )
      : []),
    ...duplicateIssues(
      rows.map(({ id }) => id),
      (index) => rows[index]?.pointer ?? pointer,
      "an id"
    )
  ]
}

/** Content of a message as stored. */
export type MessageContent = Pick<
  Message,
  "kind" | "text" | "media" | "template" | "interactive" | "location" | "contacts" | "replyToId"
>

const empty = {
  text: null,
  media: null,
  template: null,
  interactive: null,
  location: null,
  contacts: null
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

const checkInteractive = (interactive: Interactive) => {
  const errors = validateInteractive(interactive, "/interactive")
  return errors.length === 0 ? Effect.void : Effect.fail(new ValidationFailed({ errors }))
}

const buildContent = Effect.fnUntraced(function* (said: NewMessage, chatAccountId: ChatAccountId) {
  switch (said.kind) {
    case "text":
      return { ...empty, text: said.text }
    case "image":
    case "video":
    case "audio":
    case "document":
    case "sticker": {
      if (said.caption !== undefined && (said.kind === "audio" || said.kind === "sticker")) {
        return yield* invalid("/caption", `A message of the kind ${said.kind} cannot have a caption`)
      }
      return {
        ...empty,
        text: said.caption ?? null,
        media: yield* claimSendableFile(said.mediaId, said.kind, "/mediaId")
      }
    }
    case "interactive":
      yield* checkInteractive(said.interactive)
      return { ...empty, text: said.interactive.body, interactive: said.interactive }
    case "location": {
      const { address = null, latitude, longitude, name = null } = said.location
      return { ...empty, location: { latitude, longitude, name, address } }
    }
    case "contacts":
      return { ...empty, contacts: said.contacts }
    case "reaction":
      return { ...empty, text: said.emoji }
    case "template":
      return { ...empty, ...(yield* resolveTemplate(said.template, chatAccountId)) }
  }
})

/** Converts the team's input into stored content. Fails if it cannot be sent. */
export const compose = Effect.fnUntraced(function* (
  said: NewMessage,
  { chatAccountId, conversationId }: { readonly chatAccountId: ChatAccountId; readonly conversationId: ConversationId }
) {
  const parts: Omit<MessageContent, "kind" | "replyToId"> = yield* buildContent(said, chatAccountId)
  const { kind, replyToId = null } = said
  if (replyToId !== null) yield* checkReply(conversationId, replyToId)
  return { ...parts, kind, replyToId } satisfies MessageContent
})
