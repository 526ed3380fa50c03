import { CannedReply, createCannedReply, deleteCannedReply, listCannedReplies, updateCannedReply } from "@parley/domain"
import type { CannedRepliesApi } from "../../cannedReplies.ts"
import type { ExamplesOf } from "./Example.ts"
import { cannedReply } from "./inbox.ts"
import { at, pageOf } from "./samples.ts"

const { text, shortcut } = cannedReply
const longer = "We are open from 7 to 19 o'clock, Mondays excepted."

export const cannedReplies: ExamplesOf<typeof CannedRepliesApi> = {
  list: { runs: listCannedReplies, answer: pageOf(cannedReply) },
  create: { runs: createCannedReply, request: { shortcut, text }, answer: cannedReply },
  update: {
    runs: updateCannedReply,
    request: { text: longer },
    answer: new CannedReply({
      ...cannedReply,
      text: longer,
      updatedAt: at("14:30:00.000"),
      version: cannedReply.version + 1
    })
  },
  delete: { runs: deleteCannedReply }
}
