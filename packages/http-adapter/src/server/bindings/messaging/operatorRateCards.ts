import { Effect, Stream } from "effect"
import { createHash } from "node:crypto"
import {
  getRateCard,
  importRateCard,
  importRates,
  listRates,
  type MessageRate,
  RateCard,
  removeRates
} from "@parley/domain/messaging"
import { maxRateCardBytes, OperatorRateCardsApi } from "../../../api/operator.ts"
import { Repetition } from "../../Idempotency.ts"
import { samplePage } from "../../examples/samples.ts"
import { rawBody } from "../../requestParts.ts"
import { HttpServerResponse } from "effect/http"
import { bindWith } from "../bind.ts"

const rate: MessageRate = {
  country: "DE",
  category: "marketing",
  currency: "EUR",
  amount: 113_100,
  validFrom: "2026-10-01"
}

const { currency, validFrom } = rate

const read = rawBody(maxRateCardBytes)

export const operatorRateCards = bindWith(
  OperatorRateCardsApi,
  {
    list: { runs: listRates, response: samplePage(rate) },
    import: { runs: importRates, request: { rates: [rate] }, response: { imported: 1 } },
    importFile: { uses: importRateCard, request: Stream.empty, response: { imported: 240 } },
    get: { runs: getRateCard, response: new RateCard({ currency, validFrom, rates: [rate] }) },
    delete: { runs: removeRates }
  },
  (handlers) =>
    Effect.map(Repetition, (repetition) =>
      handlers.handleAll({
        importFile: Effect.fnUntraced(function* ({ endpoint, request }) {
          const file = yield* read(request)
          const body = `sha256:${createHash("sha256").update(file).digest("hex")}`
          const answer = importRateCard({ file }).pipe(
            Effect.catchTag("PermissionDenied", Effect.die),
            Effect.map((imported) => HttpServerResponse.jsonUnsafe(imported))
          )
          return yield* repetition.once({ request, endpoint, body }, answer)
        })
      })
    )
)
