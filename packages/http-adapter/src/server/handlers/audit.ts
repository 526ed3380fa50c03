import { listAuditEvents } from "@parley/domain"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { pageOf } from "../../api/shapes.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"

/** The trail of changes. */
export const layer = HttpApiBuilder.group(Api, "audit", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ query: { action, actorId, from, targetId, targetKind, ...page } }) =>
      listAuditEvents(
        {
          action: action ?? null,
          actorId: actorId ?? null,
          targetKind: targetKind ?? null,
          targetId: targetId ?? null,
          from: from ?? null,
          to: page.to ?? null
        },
        pageOf(page)
      )
  })
)
