import { type Fields, listAt, objectAt, oneOf, refuse, textAt } from "../checks.ts"
import type { Refusal } from "../failures.ts"
import { checkLinkButton, checkProduct } from "./actions.ts"
import type { Known } from "./Known.ts"
import { checkInteractiveHeader } from "./media.ts"

const checkQuickReplies = (action: Fields) => {
  for (const button of listAt(objectAt(action, "card.action", ["buttons"])["buttons"], "buttons", 3)) {
    const fields = objectAt(button, "button", ["type", "quick_reply"])
    oneOf(fields["type"], "button.type", ["quick_reply"])
    const reply = objectAt(fields["quick_reply"], "quick_reply", ["id", "title"])
    textAt(reply["id"], "quick_reply.id", 20)
    textAt(reply["title"], "quick_reply.title", 20)
  }
}

const checkBody = (value: unknown) => {
  const text = textAt(objectAt(value, "card.body", ["text"])["text"], "card.body.text", 160)
  if ((text.match(/\n/gu)?.length ?? 0) > 2) refuse(131_009, "The body of a card has at most 2 line breaks.")
}

/** Buttons of a card, which must be the same on each card. */
const kindOf = ({ buttons }: Fields): string => (Array.isArray(buttons) ? `buttons ${buttons.length}` : "link")

/** Checks a carousel: 2 to 10 cards with media, or with products of one catalogue. */
export const checkCarousel = (action: Fields, known: Known): Refusal | null => {
  const cards = listAt(objectAt(action, "action", ["cards"])["cards"], "cards", 10, 2)
  let failure: Refusal | null = null
  const kinds = cards.map((each, place) => {
    const card = objectAt(each, "card", ["card_index", "type", "header", "body", "action"])
    if (card["card_index"] !== place) refuse(131_009, "Param card_index must be the place of the card.")
    const cardAction = objectAt(card["action"], "card.action")
    if (card["type"] === "product") {
      checkProduct(cardAction, known)
      return `product ${String(cardAction["catalog_id"])}`
    }
    oneOf(card["type"] ?? "cta_url", "card.type", ["cta_url", "quick_reply"])
    if (card["header"] === undefined) refuse(131_008, "The parameter card.header is required.")
    failure ??= checkInteractiveHeader(card["header"], known, ["image", "video"])
    if (card["body"] !== undefined) checkBody(card["body"])
    if (cardAction["buttons"] === undefined) checkLinkButton(cardAction)
    else checkQuickReplies(cardAction)
    return kindOf(cardAction)
  })
  if (new Set(kinds).size > 1) refuse(131_009, "The cards of a carousel must have the same buttons.")
  return failure
}
