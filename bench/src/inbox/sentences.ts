import { searchTokens } from "@parley/domain"

const openings = [
  "Hello, I have a question about",
  "Could you tell me where my order is, it was for",
  "I would like to send back",
  "Thank you, we have received",
  "Is there still a chance to get",
  "We are looking into it and will come back to you about",
  "The invoice is missing for",
  "Does it come in another color? I mean",
  "Unfortunately it arrived broken:",
  "Your refund is on its way for",
  "When will you have it again:",
  "Please change the address of the delivery of"
]

const things = [
  "the blue jacket",
  "a pair of running shoes",
  "the espresso machine",
  "two garden chairs",
  "the wooden table",
  "a gift card",
  "the wireless headphones",
  "my subscription",
  "the winter boots",
  "a bicycle lamp",
  "the yoga mat",
  "the standing desk",
  "a set of knives",
  "the picture frame",
  "the backpack",
  "the electric kettle",
  "a linen shirt",
  "the phone case",
  "the camping tent",
  "a theremin"
]

const endings = ["that I bought last week.", "from the spring sale.", "please.", "for my daughter."]

/** Texts of messages, and their search words. */
export const sentences = openings.flatMap((opening) =>
  things.flatMap((thing) =>
    endings.map((ending) => {
      const text = `${opening} ${thing} ${ending}`
      return { text, words: [...new Set(searchTokens(text))] }
    })
  )
)
