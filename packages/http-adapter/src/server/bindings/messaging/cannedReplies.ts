import {
  CannedReply,
  createCannedReply,
  deleteCannedReply,
  listCannedReplies,
  updateCannedReply
} from "@parley/domain/messaging"
import { CannedRepliesApi } from "../../../api/messages.ts"
import { cannedReply } from "../../examples/inbox.ts"
import { at, samplePage } from "../../examples/samples.ts"
import { bind } from "../bind.ts"

const { text: cannedRepliesText, shortcut } = cannedReply

const longer = "We are open from 7 to 19 o'clock, Mondays excepted."

export const cannedReplies = bind(CannedRepliesApi, {
  list: { runs: listCannedReplies, response: samplePage(cannedReply) },
  create: { runs: createCannedReply, request: { shortcut, text: cannedRepliesText }, response: cannedReply },
  update: {
    runs: updateCannedReply,
    request: { text: longer },
    response: new CannedReply({
      ...cannedReply,
      text: longer,
      updatedAt: at("14:30:00.000"),
      version: cannedReply.version + 1
    })
  },
  delete: { runs: deleteCannedReply }
})
