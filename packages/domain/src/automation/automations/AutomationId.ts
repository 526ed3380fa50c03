import { Schema } from "effect"
import { Uuid } from "../../kernel/index.ts"

export const AutomationId = Uuid.pipe(Schema.brand("AutomationId"))
export type AutomationId = typeof AutomationId.Type
