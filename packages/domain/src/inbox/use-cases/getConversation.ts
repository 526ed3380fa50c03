import { useCase } from "../../kernel/index.ts"
import { showConversation } from "../changeConversation.ts"

/** Reads one conversation. */
export const getConversation = useCase(
  "conversations.get",
  { access: { permission: "conversations.read" } },
  showConversation
)
