import type { Filter } from "../../../crm/index.ts"
import type { ScheduleId } from "../../schedules/index.ts"
import type { ConditionInput } from "./ConditionInput.ts"
import type { FactFieldName } from "./factFields.ts"
import type { FactTest } from "./factTests.ts"

/** A condition without parts, as it was written. */
export type Said = Pick<ConditionInput, "field" | "key" | "op" | "value">

/** A condition that has been read. `said` is how it was written. */
export type Condition =
  | { readonly kind: "always" }
  | { readonly kind: "all" | "any"; readonly of: ReadonlyArray<Condition> }
  | { readonly kind: "not"; readonly of: Condition }
  | { readonly kind: "contact"; readonly said: Said; readonly filter: Filter }
  | { readonly kind: "fact"; readonly said: Said; readonly field: FactFieldName; readonly test: FactTest }
  | { readonly kind: "schedule"; readonly said: Said; readonly id: ScheduleId; readonly isOpen: boolean }
  /** What it names is gone: it holds for nobody. */
  | { readonly kind: "gone"; readonly said: Said }
