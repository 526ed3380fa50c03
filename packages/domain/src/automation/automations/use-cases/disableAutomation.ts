import { Effect } from "effect"
import { useCase } from "../../../kernel/index.ts"
import { switchTo } from "../switchTo.ts"

/** Switches an automation off. */
export const disableAutomation = useCase(
  "automation.disable",
  { access: { permission: "automations.manage" }, gatedBy: "automations", actsThrough: "nothing" },
  switchTo(false, () => Effect.void)
)
