import { DateTime, Effect, Result, Schema } from "effect"
import { type ContactField, ContactFields, resolveFilter } from "../crm/index.ts"
import { type ValidationIssue, invalid, NotFound, type PermissionDenied, ValidationFailed } from "../kernel/index.ts"
import {
  type ChatAccountId,
  ChatAccounts,
  fileKindOf,
  type MessageTemplate,
  type MessageTemplateId,
  MessageTemplates,
  validateOfferExpiry,
  valuePointer
} from "../messaging/chat/index.ts"
import { claimSendableFile, MediaId } from "../messaging/inbox/index.ts"
import { type BroadcastDefinition, type BroadcastMessage, broadcastMessages } from "./Broadcast.ts"
import type { Variables } from "./values/BroadcastValue.ts"
import { validateGivenVariables, validateVariables } from "./values/validateVariables.ts"

type DefinitionError = ValidationFailed | NotFound | PermissionDenied

/** Joins the results of several checks: a missing permission first, then all problems together, then the first missing resource. */
const combineIssues = Effect.fnUntraced(function* (
  results: ReadonlyArray<Result.Result<unknown, DefinitionError>>
): Effect.fn.Return<void, DefinitionError> {
  const refusals = results.flatMap((result) => (Result.isFailure(result) ? [result.failure] : []))
  const denied = refusals.find((refusal) => refusal._tag === "PermissionDenied")
  if (denied !== undefined) return yield* denied
  const errors = refusals.flatMap((refusal) => (refusal._tag === "ValidationFailed" ? refusal.errors : []))
  if (errors.length > 0) return yield* new ValidationFailed({ errors })
  const [first] = refusals
  if (first !== undefined) return yield* first
})

/** Whether missing fields are errors. */
type Completeness = "given" | "whole"

const isMediaId = Schema.is(MediaId)

const validateTemplateValues = (
  template: MessageTemplate,
  { pointer, variables }: BroadcastMessage,
  owner: ChatAccountId | null,
  fields: ReadonlyArray<ContactField>,
  extent: Completeness
): ReadonlyArray<ValidationIssue> => {
  const at = `${pointer}/templateId`
  const isOfAnother = owner !== null && template.chatAccountId !== owner
  return [
    ...(template.category === "authentication"
      ? [{ pointer: at, message: "Expected a template of another category than authentication" }]
      : []),
    ...(isOfAnother ? [{ pointer: at, message: "Expected a template of the broadcast's chat account" }] : []),
    ...(extent === "whole" ? validateVariables : validateGivenVariables)(variables, {
      variables: template.variables,
      fields,
      pointer: `${pointer}/variables`
    })
  ]
}

/** A draft can keep an offer that has ended. */
const validateOffer = ({ pointer, variables }: BroadcastMessage, now: DateTime.Utc): ReadonlyArray<ValidationIssue> => {
  const expiry = variables["offer.expiresAt"]
  if (expiry?.kind !== "constant") return []
  return validateOfferExpiry({ "offer.expiresAt": expiry.value }, `${pointer}/variables`, now).map((issue) => ({
    ...issue,
    pointer: `${issue.pointer}/value`
  }))
}

/** Checks that the files of a message exist, and retains them. */
const checkFiles = ({ variables }: MessageTemplate, values: Variables, at: string) =>
  Effect.all(
    variables.flatMap(({ key, kind: valueKind }) => {
      const value = Object.hasOwn(values, key) ? values[key] : undefined
      const kind = fileKindOf(valueKind)
      if (kind === null || value?.kind !== "constant") return []
      const pointer = `${valuePointer(at, key)}/value`
      return isMediaId(value.value)
        ? [claimSendableFile(value.value, kind, pointer)]
        : [Effect.fail(invalid(pointer, "Expected the id of an uploaded file"))]
    }),
    { mode: "result" }
  ).pipe(Effect.flatMap(combineIssues))

const checkMessage = Effect.fnUntraced(function* (
  message: BroadcastMessage,
  templates: ReadonlyMap<MessageTemplateId, MessageTemplate>,
  owner: ChatAccountId | null,
  extent: Completeness
) {
  const { pointer, templateId, variables } = message
  if (templateId === null) return
  const template = templates.get(templateId)
  if (template === undefined) {
    return yield* new NotFound({ resource: "message template", pointer: `${pointer}/templateId` })
  }
  const errors = [
    ...validateTemplateValues(template, message, owner, yield* (yield* ContactFields).all(), extent),
    ...(extent === "whole" ? validateOffer(message, yield* DateTime.now) : [])
  ]
  if (errors.length > 0) return yield* new ValidationFailed({ errors })
  yield* checkFiles(template, variables, `${pointer}/variables`)
})

/** Fails if a chat account, template or value does not exist or does not match. With `whole`, variables without a value also fail. */
export const checkMessages = Effect.fnUntraced(function* (broadcast: BroadcastDefinition, extent: Completeness) {
  const { chatAccountId, templateId, variables, variants } = broadcast
  const messages = broadcastMessages(broadcast)
  const found = yield* (yield* MessageTemplates).find([...new Set(messages.flatMap((each) => each.templateId ?? []))])
  const templates = new Map(found.map((template) => [template.id, template]))
  const [account] = chatAccountId === null ? [] : yield* (yield* ChatAccounts).find([chatAccountId])
  // In a draft without a chat account, all variants must belong to one account. A missing account has no templates.
  const [first] = messages.flatMap(({ templateId }) => (templateId === null ? [] : (templates.get(templateId) ?? [])))
  const owner = chatAccountId === null ? (first?.chatAccountId ?? null) : (account?.id ?? null)
  const isBoth = variants !== null && (templateId !== null || Object.keys(variables).length > 0)
  const checks = [
    chatAccountId !== null && account === undefined
      ? Effect.fail(new NotFound({ resource: "chat account", pointer: "/chatAccountId" }))
      : Effect.void,
    isBoth
      ? Effect.fail(invalid("/variants", "Expected either variants, or a template and its variables"))
      : Effect.void,
    ...messages.map((message) => checkMessage(message, templates, owner, extent))
  ]
  yield* combineIssues(yield* Effect.all(checks, { mode: "result" }))
})

const messageFields = ["chatAccountId", "templateId", "variables", "variants"] as const

/** Fails on errors in the given fields. Missing fields of a draft are allowed, and fields that became invalid later as well. */
export const checkDefinition = (
  broadcast: BroadcastDefinition,
  given: Partial<Record<keyof BroadcastDefinition, unknown>>
) => {
  const { audience, exclude } = broadcast
  const checks = [
    messageFields.some((field) => field in given) ? checkMessages(broadcast, "given") : Effect.void,
    "audience" in given && audience !== null ? resolveFilter(audience, "/audience") : Effect.void,
    "exclude" in given && exclude !== null ? resolveFilter(exclude, "/exclude") : Effect.void
  ]
  return Effect.flatMap(Effect.all(checks, { mode: "result" }), combineIssues)
}
