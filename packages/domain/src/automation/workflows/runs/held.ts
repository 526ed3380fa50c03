import { heldFrom } from "../../automations/index.ts"

/** Why no run goes on in the organization now; `null` where any may. */
export const workflowsHeldBecause = heldFrom("workflows")
