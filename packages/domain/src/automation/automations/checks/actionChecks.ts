import { Effect } from "effect"
import type { TypedVocabulary } from "../../../campaigns/index.ts"
import { ContactFields } from "../../../crm/index.ts"
import type { PluginSchema } from "../../../integrations/plugins/index.ts"
import type { Fault } from "../../../kernel/index.ts"
import { ChatAccounts } from "../../../messaging/chat/index.ts"
import type { Action, ActionOf } from "../actions/Action.ts"
import { vocabularyOf } from "../actions/variablePaths.ts"
import { typesOfVariable } from "../actions/variableTypes.ts"
import { faultsOfMessage, faultsOfPeople, faultsOfTemplate } from "./messageChecks.ts"
import {
  faultsOfAsking,
  faultsOfCall,
  faultsOfChange,
  faultsOfMembers,
  faultsOfSchedule,
  faultsOfStart,
  faultsOfTags
} from "./resourceChecks.ts"
import { faultsOfTexts, namesAttributes } from "./textChecks.ts"

const faultsOfAccount = Effect.fnUntraced(function* (
  { chatAccountId }: Pick<ActionOf<"send_message">, "chatAccountId">,
  pointer: string
) {
  if (chatAccountId === undefined) return []
  const [account] = yield* (yield* ChatAccounts).find([chatAccountId])
  return account === undefined
    ? [{ pointer: `${pointer}/chatAccountId`, message: "There is no chat account with this id" }]
    : []
})

const faultsOfSnooze = ({ snoozeSeconds, status }: ActionOf<"set_status">, pointer: string): ReadonlyArray<Fault> => {
  if ((status === "snoozed") === (snoozeSeconds !== undefined)) return []
  const message = status === "snoozed" ? "Expected for how long it is snoozed" : "Expected it with snoozed only"
  return [{ pointer: `${pointer}/snoozeSeconds`, message }]
}

const faultsOfOwn = (action: Action, pointer: string, vocabulary: TypedVocabulary) => {
  switch (action.type) {
    case "send_message": {
      const { chatAccountId, message, whenClosed } = action
      return Effect.all([
        faultsOfAccount(action, pointer),
        faultsOfMessage(message, `${pointer}/message`),
        whenClosed === undefined
          ? Effect.succeed([])
          : faultsOfTemplate(whenClosed, chatAccountId, `${pointer}/whenClosed`)
      ])
    }
    case "send_template":
      return Effect.all([
        faultsOfAccount(action, pointer),
        faultsOfTemplate(action.template, action.chatAccountId, `${pointer}/template`)
      ])
    case "send_away":
      return Effect.all([faultsOfSchedule(action, pointer), faultsOfMessage(action.message, `${pointer}/message`)])
    case "auto_assign":
      return Effect.all([faultsOfMembers(action, pointer)])
    case "tag":
    case "untag":
      return Effect.all([faultsOfTags(action, pointer)])
    case "set_attribute":
      return Effect.all([faultsOfChange(action, pointer)])
    case "assign": {
      const { assigneeId } = action
      const people = assigneeId === null ? [] : [[assigneeId, `${pointer}/assigneeId`] as const]
      return Effect.all([faultsOfPeople(people, "conversations.manage")])
    }
    case "set_status":
      return Effect.succeed([faultsOfSnooze(action, pointer)])
    case "add_note":
      return Effect.all([
        faultsOfPeople(
          (action.mentions ?? []).map((id, index) => [id, `${pointer}/mentions/${index}`] as const),
          "conversations.read"
        )
      ])
    case "call_webhook":
      return Effect.all([faultsOfCall(action, pointer)])
    case "start_workflow":
      return Effect.all([faultsOfStart(action, pointer)])
    case "plugin_action":
      return Effect.all([faultsOfAsking(action, pointer, vocabulary)])
    case "set_priority":
    case "add_labels":
    case "remove_labels":
      return Effect.succeed([])
  }
}

const noOutputs: ReadonlyMap<string, PluginSchema> = new Map()

/** Validates an action. `groups` are the variables available to its texts; `outputs` are the output schemas of plugin nodes of the same workflow. */
export const faultsOfAction = Effect.fnUntraced(function* (
  action: Action,
  groups: ReadonlySet<string>,
  pointer: string,
  outputs = noOutputs
) {
  const fields = namesAttributes(action) ? yield* (yield* ContactFields).all() : []
  const vocabulary: TypedVocabulary = {
    ...vocabularyOf(groups),
    typesOf: (path) => typesOfVariable(path, { fields, outputs })
  }
  const own: ReadonlyArray<ReadonlyArray<Fault>> = yield* faultsOfOwn(action, pointer, vocabulary)
  return [...own.flat(), ...(yield* faultsOfTexts(action, vocabulary, fields, pointer))]
})

/** Finds all problems of some actions, with their pointers. */
export const checkActions = Effect.fnUntraced(function* (
  actions: ReadonlyArray<Action>,
  groups: ReadonlySet<string>,
  pointer: string
) {
  const faults = yield* Effect.forEach(actions, (action, index) =>
    faultsOfAction(action, groups, `${pointer}/${index}`)
  )
  return faults.flat()
})
