import { eventResource, byId } from "../../kernel/index.ts"
import { ChatAccountView } from "./ChatAccount.ts"
import { ChatAccountId, MessageTemplateId } from "./Ids.ts"
import { MessageTemplate } from "./MessageTemplate.ts"
import { getChatAccount } from "./use-cases/getChatAccount.ts"
import { getMessageTemplate } from "./use-cases/getMessageTemplate.ts"

/** The resources of the events of this area, as GET answers them. */
export const chatResources = [
  eventResource("chat_account", getChatAccount, ChatAccountView, byId("chatAccountId", ChatAccountId)),
  eventResource("message_template", getMessageTemplate, MessageTemplate, byId("messageTemplateId", MessageTemplateId))
] as const
