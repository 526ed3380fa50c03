import { useCase } from "../../kernel/index.ts"
import { switchTo } from "../switchTo.ts"

/** Switches an automation on. */
export const enableAutomation = useCase(
  "automation.enable",
  { access: { permission: "automations.manage" }, gatedBy: "automations" },
  switchTo(true)
)
