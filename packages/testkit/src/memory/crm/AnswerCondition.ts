import type { Contact } from "@parley/domain/crm"
import type { Tenant } from "../store/State.ts"

/** Whether something holds of a contact that an area knows. */
export type AnswerCondition = (tenant: Tenant, contact: Contact, values: ReadonlyArray<string>) => boolean
