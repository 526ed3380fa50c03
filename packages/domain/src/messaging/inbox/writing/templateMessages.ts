import { DateTime, Effect, Schema } from "effect"
import { type ValidationIssue, invalid, NotFound, ValidationFailed } from "../../../kernel/index.ts"
import {
  type ChatAccountId,
  fileKindOf,
  fillTemplate,
  type MediaKind,
  type MessageTemplate,
  MessageTemplates,
  toTemplatePreview,
  type TemplateInputs,
  validateOfferExpiry,
  valuePointer
} from "../../chat/index.ts"
import { MediaLibrary } from "../MediaLibrary.ts"
import { MediaId, type MessageTemplateUse, type NewMessage } from "../Message.ts"
import { TemplateNotApproved } from "../errors.ts"
import { mediaKindOf, maxMediaBytes } from "../mediaTypes.ts"
import { maskCode } from "./oneTimeCodes.ts"

const mediaNotFound = (pointer: string) => new NotFound({ resource: "media", pointer })

/** Returns the file if a message can carry it. */
const requireSendableFile = Effect.fnUntraced(function* (id: MediaId, kind: MediaKind, pointer: string) {
  const media = yield* Effect.mapError((yield* MediaLibrary).get(id), () => mediaNotFound(pointer))
  if (media.state !== "stored") return yield* invalid(pointer, "Expected an uploaded file")
  if (media.kind !== kind) return yield* invalid(pointer, `Expected a file of the kind ${kind}, not ${media.kind}`)
  if (mediaKindOf(media.mimeType) !== kind) {
    return yield* invalid(pointer, `Files of the type ${media.mimeType} cannot be sent`)
  }
  if ((media.size ?? 0) > maxMediaBytes[kind]) {
    return yield* invalid(pointer, `Expected a file of at most ${maxMediaBytes[kind]} bytes`)
  }
  return media
})

/** Returns the file of a message if it can be sent, and marks it as used. Used files are not swept. */
export const claimSendableFile = Effect.fnUntraced(function* (id: MediaId, kind: MediaKind, pointer: string) {
  const { filename, isUsed, mimeType } = yield* requireSendableFile(id, kind, pointer)
  if (!isUsed) yield* Effect.mapError((yield* MediaLibrary).use(id), () => mediaNotFound(pointer))
  return { id, mimeType, filename }
})

/** Returns the issues of a file for messages. */
export const validateSendableFile = (id: MediaId, kind: MediaKind, pointer: string) =>
  Effect.match(requireSendableFile(id, kind, pointer), {
    onSuccess: (): ReadonlyArray<ValidationIssue> => [],
    onFailure: (error): ReadonlyArray<ValidationIssue> =>
      error._tag === "NotFound" ? [{ pointer, message: error.message }] : error.errors
  })

const isMediaId = Schema.is(MediaId)

/** File that fills a part of a template. */
export interface FileValue {
  readonly id: MediaId
  readonly kind: MediaKind
  readonly pointer: string
}

/** Refuses values that the template could not be sent with. `at` is their JSON pointer. Returns the files among the values, which can be sent. */
export const checkTemplateValues = Effect.fnUntraced(function* (
  template: MessageTemplate,
  values: TemplateInputs,
  at: "/template/values" | "/values"
) {
  const filling = fillTemplate(template, values, at)
  const errors = Array.isArray(filling) ? filling : validateOfferExpiry(values, at, yield* DateTime.now)
  if (errors.length > 0) return yield* new ValidationFailed({ errors })
  const files: Array<FileValue> = []
  for (const { key, kind: valueKind } of template.variables) {
    const kind = fileKindOf(valueKind)
    if (kind === null) continue
    const id = values[key]
    const pointer = valuePointer(at, key)
    if (!isMediaId(id)) return yield* invalid(pointer, "Expected the id of an uploaded file")
    yield* requireSendableFile(id, kind, pointer)
    files.push({ id, kind, pointer })
  }
  return files
})

type TemplateInput = Extract<NewMessage, { readonly kind: "template" }>["template"]

const findTemplate = Effect.fnUntraced(function* (input: TemplateInput, chatAccountId: ChatAccountId) {
  const templates = yield* MessageTemplates
  if ("id" in input) {
    const [found] = yield* templates.find([input.id])
    return found?.chatAccountId === chatAccountId
      ? found
      : yield* new NotFound({ resource: "message template", pointer: "/template/id" })
  }
  const all = yield* templates.ofAccounts([chatAccountId])
  const found = all.find(({ language, name }) => name === input.name && language === input.language)
  return (
    found ?? (yield* new NotFound({ resource: "message template", pointer: "/template/name", by: "name and language" }))
  )
})

/** Checks that the template is approved and filled, and renders it for the customer. Its files are marked as used. */
export const checkTemplate = Effect.fnUntraced(function* (template: MessageTemplate, values: TemplateInputs) {
  if (template.status !== "approved") return yield* new TemplateNotApproved({ status: template.status })
  for (const { id, kind, pointer } of yield* checkTemplateValues(template, values, "/template/values")) {
    yield* claimSendableFile(id, kind, pointer)
  }
  return toTemplatePreview(template, maskCode(template, values)).body
})

/** Resolves the template of a message, and its text. */
export const resolveTemplate = Effect.fnUntraced(function* (input: TemplateInput, chatAccountId: ChatAccountId) {
  const template = yield* findTemplate(input, chatAccountId)
  const { id, language, name } = template
  const { values = {} } = input
  const text = yield* checkTemplate(template, values)
  return { text, template: { id, name, language, values: maskCode(template, values) } satisfies MessageTemplateUse }
})
