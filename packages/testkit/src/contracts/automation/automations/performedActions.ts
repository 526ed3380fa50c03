import type { Ports } from "@parley/domain/composition"
import { type Contract, runContract } from "../../contract.ts"
import { actionsOnContactsPromises } from "./actionsOnContacts.ts"
import { actionsOnConversationsPromises } from "./actionsOnConversations.ts"
import { actionLimitsPromises } from "./actionLimits.ts"
import { actionCallsPromises } from "./actionCalls.ts"
import { actionRepliesPromises } from "./actionReplies.ts"

/** Contract of the actions of automations and workflows, for any storage. */
export const performedActions: Contract<Ports> = {
  port: "performAction",
  promises: (it, overlap) => {
    actionsOnContactsPromises(it, overlap)
    actionsOnConversationsPromises(it, overlap)
    actionLimitsPromises(it, overlap)
    actionCallsPromises(it, overlap)
    actionRepliesPromises(it, overlap)
  }
}

/** Checks a storage against the contract of actions. */
export const performedActionsContract = runContract(performedActions)
