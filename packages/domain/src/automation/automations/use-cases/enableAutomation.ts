import { Effect } from "effect"
import { requireReach, useCase } from "../../../kernel/index.ts"
import { definitionOf } from "../Automation.ts"
import { needsOfAutomations } from "../needs.ts"
import { switchTo } from "../switchTo.ts"

/** Switches an automation on. */
export const enableAutomation = useCase(
  "automation.enable",
  { access: { permission: "automations.manage" }, gatedBy: "automations", actsThrough: "automation" },
  switchTo(true, (before) => Effect.flatMap(needsOfAutomations([definitionOf(before)]), requireReach))
)
