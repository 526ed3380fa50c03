import type { AreaConditionCheck } from "@parley/domain/crm"
import type { ContactCondition } from "@parley/domain/composition"
import { contactConditions as campaignsConditions } from "./campaigns/contactConditions.ts"
import type { AnswerCondition } from "./crm/AnswerCondition.ts"
import { contactConditions as inboxConditions } from "./messaging/inbox/contactConditions.ts"
import { contactConditions as storesConditions } from "./commerce/contactConditions.ts"
import type { Tenant } from "./store/State.ts"

const conditions: Readonly<Record<ContactCondition, AnswerCondition>> = {
  ...inboxConditions,
  ...campaignsConditions,
  ...storesConditions
}

const answers: ReadonlyMap<string, AnswerCondition> = new Map(Object.entries(conditions))

/** Data of the areas about the contacts of an organization. */
export const knownIn =
  (tenant: Tenant): AreaConditionCheck =>
  ({ condition, values }, contact) => {
    const answer = answers.get(condition)
    if (answer === undefined) throw new Error(`No area answers the condition ${condition}.`)
    return answer(tenant, contact, values)
  }
