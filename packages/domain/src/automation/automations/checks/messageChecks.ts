import { Effect } from "effect"
import type { ValidationIssue, Permission, UserId } from "../../../kernel/index.ts"
import {
  fileKindOf,
  isConstantKind,
  interactiveFiles,
  templateValueIssue,
  type MessageTemplate,
  MessageTemplates,
  type TemplateVariable,
  valuePointer
} from "../../../messaging/chat/index.ts"
import {
  fileChoiceIssues,
  validateSendableFile,
  validateInteractive,
  MediaId,
  type NewMessage
} from "../../../messaging/inbox/index.ts"
import { Members, permissionsOfRole } from "../../../platform/identity/index.ts"
import { type ActionOf, type ActionTemplate, hasLiquid } from "../actions/Action.ts"

/** Finds problems of a message that can be detected before it is sent. */
export const validateActionMessage = Effect.fnUntraced(function* (
  input: NewMessage,
  pointer: string
): Effect.fn.Return<ReadonlyArray<ValidationIssue>, never, Effect.Services<ReturnType<typeof validateSendableFile>>> {
  switch (input.kind) {
    case "interactive": {
      const at = `${pointer}/interactive`
      const files = yield* Effect.forEach(interactiveFiles(input.interactive), (file) =>
        validateSendableFile(MediaId.make(file.mediaId), file.kind, `${at}${file.pointer}`)
      )
      return [...validateInteractive(input.interactive, at), ...files.flat()]
    }
    case "image":
    case "video":
    case "audio":
    case "document":
    case "sticker": {
      const hasNone = input.kind === "audio" || input.kind === "sticker"
      const choice = fileChoiceIssues(input, pointer)
      const stored =
        input.mediaId === undefined ? [] : yield* validateSendableFile(input.mediaId, input.kind, `${pointer}/mediaId`)
      const faults = [...choice, ...stored]
      return input.caption === undefined || !hasNone
        ? faults
        : [
            ...faults,
            { pointer: `${pointer}/caption`, message: `A message of the kind ${input.kind} cannot have a caption` }
          ]
    }
    default:
      return []
  }
})

/** Finds users that are not members with this permission. */
export const validateMemberUsers = Effect.fnUntraced(function* (
  people: ReadonlyArray<readonly [id: UserId, pointer: string]>,
  permission: Permission
) {
  if (people.length === 0) return []
  const members = yield* (yield* Members).findByUsers(people.map(([id]) => id))
  const fit = new Set(
    members
      .filter(({ role, status }) => status === "active" && permissionsOfRole(role).has(permission))
      .map(({ userId }) => userId)
  )
  return people
    .filter(([id]) => !fit.has(id))
    .map(([, pointer]): ValidationIssue => ({
      pointer,
      message: `There is no member with this id who has ${permission}`
    }))
})

const validateTemplateValue = Effect.fnUntraced(function* (variable: TemplateVariable, text: string, pointer: string) {
  const { kind } = variable
  if (hasLiquid(text)) {
    return isConstantKind(kind)
      ? [{ pointer, message: `Expected no Liquid: a ${kind} is the same for all contacts` }]
      : []
  }
  const message = templateValueIssue(variable, text)
  if (message !== null) return [{ pointer, message }]
  const fileKind = fileKindOf(kind)
  return fileKind === null ? [] : yield* validateSendableFile(MediaId.make(text), fileKind, pointer)
})

const validateTemplateValues = Effect.fnUntraced(function* (
  { variables }: MessageTemplate,
  values: Readonly<Record<string, string>>,
  pointer: string
) {
  const known = new Set(variables.map(({ key }) => key))
  const faults: Array<ValidationIssue> = Object.keys(values)
    .filter((key) => !known.has(key))
    .map((key) => ({ pointer: valuePointer(pointer, key), message: "The template does not have this variable" }))
  for (const variable of variables) {
    const at = valuePointer(pointer, variable.key)
    const text = Object.hasOwn(values, variable.key) ? values[variable.key] : undefined
    if (text === undefined && variable.isOptional === true) continue
    if (text === undefined) faults.push({ pointer: at, message: "Expected a value for this variable" })
    else faults.push(...(yield* validateTemplateValue(variable, text, at)))
  }
  return faults
})

/** Finds problems of a template and its values, for a number if one is specified. */
export const validateActionTemplate = Effect.fnUntraced(function* (
  { id, values = {} }: ActionTemplate,
  over: ActionOf<"send_template">["chatAccountId"],
  pointer: string
) {
  const at = `${pointer}/id`
  const [template] = yield* (yield* MessageTemplates).find([id])
  if (template === undefined) return [{ pointer: at, message: "There is no message template with this id" }]
  const { category, chatAccountId, status } = template
  const faults: Array<ValidationIssue> = [...(yield* validateTemplateValues(template, values, `${pointer}/values`))]
  if (status !== "approved") faults.push({ pointer: at, message: `Expected an approved template, but it is ${status}` })
  if (category === "authentication") faults.push({ pointer: at, message: "Expected no authentication template" })
  if (over !== undefined && over !== chatAccountId) {
    faults.push({ pointer: at, message: "Expected a template of the chat account" })
  }
  return faults
})
