import type { MessageTemplate } from "../../messaging/chat/index.ts"
import type { InboundAnswer } from "../../messaging/inbox/index.ts"

/** The button of the template that was tapped by this message; `null` if none was. */
export const tappedButton = (
  { components: { buttons = [] } }: Pick<MessageTemplate, "components">,
  { message: { interactive } }: InboundAnswer
): string | null => {
  if (interactive?.type !== "reply") return null
  const { title } = interactive
  return buttons.some((button) => button.type === "quick_reply" && button.text === title) ? title : null
}
