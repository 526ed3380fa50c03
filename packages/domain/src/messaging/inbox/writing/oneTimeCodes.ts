import { DateTime, Effect, Redacted } from "effect"
import {
  type MessageTemplate,
  type MessageTemplateId,
  MessageTemplates,
  type TemplateInputs
} from "../../chat/index.ts"
import type { Message, MessageId } from "../Message.ts"
import { OneTimeCodes, sealedOneTimeCodes } from "../OneTimeCodes.ts"
import { OneTimeCodeErased } from "../errors.ts"

/** Shown in place of a one-time code in messages, events, exports and previews. */
const codeMask = "••••••"

/** Variable of the code. Only authentication templates have it. */
const codeKey = "code"

/** The longest validity that a template can show. A later attempt would send a useless code. */
const codeLifetime = { minutes: 90 }

/** Masks the one-time code, because values and texts of messages are stored, searchable and delivered to others. */
export const maskCode = ({ components }: MessageTemplate, values: TemplateInputs): TemplateInputs =>
  components.authentication === undefined || !Object.hasOwn(values, codeKey)
    ? values
    : { ...values, [codeKey]: codeMask }

/** Masks the one-time code among values for a template. A deleted template can have had one. */
export const maskCodeOf = Effect.fnUntraced(function* (id: MessageTemplateId, values: TemplateInputs) {
  if (!Object.hasOwn(values, codeKey)) return values
  const [template] = yield* (yield* MessageTemplates).find([id])
  return template === undefined ? { ...values, [codeKey]: codeMask } : maskCode(template, values)
})

/** Whether the message was written with a one-time code. */
export const hasOneTimeCode = ({ template }: Pick<Message, "template">): boolean =>
  template !== null && Object.hasOwn(template.values, codeKey) && template.values[codeKey] === codeMask

/** Seals the code of a new message until the provider has accepted it. */
export const keepOneTimeCode = Effect.fnUntraced(function* (
  message: Pick<Message, "id" | "template">,
  { [codeKey]: code }: TemplateInputs
) {
  if (!hasOneTimeCode(message) || code === undefined) return
  const sealed = yield* sealedOneTimeCodes.seal(message.id, Redacted.make(code))
  const expiresAt = DateTime.addDuration(yield* DateTime.now, codeLifetime)
  yield* (yield* OneTimeCodes).insert({ messageId: message.id, sealed, expiresAt })
})

/** Returns the values of a message with its code. Fails if the code was deleted. */
export const withOneTimeCode = Effect.fnUntraced(function* ({ id, template }: Pick<Message, "id" | "template">) {
  const { values = {} } = template ?? {}
  if (!hasOneTimeCode({ template })) return values
  const sealed = yield* (yield* OneTimeCodes).find(id)
  if (sealed === null) return yield* new OneTimeCodeErased()
  return { ...values, [codeKey]: Redacted.value(yield* sealedOneTimeCodes.open(id, sealed)) }
})

/** Change of a message by the result of a call. */
interface MessageChange {
  readonly was: Message
  readonly is: Message
}

/** Deletes the codes of messages that the provider has accepted. Other messages cause no query. */
export const eraseAcceptedCodes = Effect.fnUntraced(function* (changes: ReadonlyArray<MessageChange>) {
  const accepted = changes.flatMap(({ is, was }): ReadonlyArray<MessageId> =>
    is.providerMessageId !== was.providerMessageId && hasOneTimeCode(is) ? [is.id] : []
  )
  if (accepted.length > 0) yield* (yield* OneTimeCodes).erase(accepted)
})
