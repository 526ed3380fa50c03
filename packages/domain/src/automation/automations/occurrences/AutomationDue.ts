import { Schema } from "effect"
import { ContactId } from "../../../crm/index.ts"
import { LocalDate } from "../../../kernel/index.ts"
import { AutomationId } from "../AutomationId.ts"

/** An automation with a clock is due for a contact. */
export const AutomationDue = Schema.Struct({
  type: Schema.Literal("automation.due"),
  automationId: AutomationId,
  contactId: ContactId,
  /** ISO time, because it identifies the run as text. */
  dueAt: Schema.String.annotate({ format: "date-time" }).annotateKey({
    description: "Time of the schedule, or start time of the date, that the run is for."
  }),
  date: Schema.optionalKey(LocalDate).annotateKey({
    description: "Reached date of the contact, without the offset; absent for a schedule."
  })
})
export type AutomationDue = typeof AutomationDue.Type
