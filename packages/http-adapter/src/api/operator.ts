import { Currency, LocalDate, Page, textPatterns, Timestamp } from "@parley/domain/kernel"
import { MessageRate, NewRates, RateCard } from "@parley/domain/messaging"
import { AuditEvent } from "@parley/domain/platform"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { alsoReads, area, describe } from "./describe.ts"
import { AsOperator, Idempotent, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { PageQuery } from "./shapes.ts"

/** Paths of all endpoints for operator tokens start with it. */
export const operatorPrefix = "/api/v1/operator"

/** Maximum size of a rate card file. */
export const maxRateCardBytes = 4 * 1_024 * 1_024

/** The handler has the smaller limit, because its answer names the limit. */
const mostBytes = 104_857_600

const ImportedRates = Schema.Struct({
  imported: Schema.Int.annotateKey({ description: "Number of stored rates, including replaced ones." })
}).annotate({ identifier: "ImportedRates" })

const cardName = {
  currency: Currency.pipe(Schema.annotateKey({ description: "Currency of the prices, for example EUR." })),
  validFrom: LocalDate.pipe(Schema.annotateKey({ description: "First day of the prices, for example 2026-10-01." }))
}

const csvExample = `country,category,currency,amount,valid_from
DE,marketing,EUR,11.31,2026-10-01
US CA,utility,EUR,0.34,2026-10-01
*,service,EUR,0.5,2026-10-01
`

/** Prices of chat providers. */
export class OperatorRateCardsApi extends HttpApiGroup.make("operatorRateCards")
  .add(
    HttpApiEndpoint.get("list", "/rate_cards", {
      query: PageQuery,
      success: Page(MessageRate),
      error: Problems.CursorInvalid
    }).annotateMerge(describe("listRates", "List the imported rates", "By currency, category, country and first day.")),
    HttpApiEndpoint.post("import", "/rate_cards", {
      payload: NewRates,
      success: ImportedRates
    })
      .annotateMerge(
        describe(
          "importRates",
          "Import rates",
          "All rates are stored, or none. A rate replaces the stored rate with the same currency, category, country and first day. At most 5,000 rates of 100 cards; the currency and the first day name a card."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.post("importFile", "/rate_cards/import", {
      payload: HttpApiSchema.StreamUint8Array({ contentType: "text/csv", maxBytes: mostBytes }),
      success: ImportedRates,
      error: Problems.TooLarge
    })
      .annotateMerge(
        describe(
          "importRateCard",
          "Import a rate card from a file",
          "The body is CSV in UTF-8 with the columns `country`, `category`, `currency`, `amount` and `valid_from`, at most 4 MiB, 50,000 rates and 100 pairs of currency and first day. `country` is one code, several codes separated by spaces, or `*` for all other countries. `amount` is in minor units with up to four decimals. All lines are stored, or none: an error names line and column of each issue, for example `/lines/3/amount`. An `Idempotency-Key` covers the whole file."
        )
      )
      .annotateMerge(alsoReads({ "text/csv": { schema: { type: "string" }, example: csvExample } }))
      .middleware(Idempotent),
    HttpApiEndpoint.get("get", "/rate_cards/:currency/:validFrom", {
      params: cardName,
      success: RateCard,
      error: Problems.NotFound
    }).annotateMerge(describe("getRateCard", "Get a rate card", "All rates of the currency that start on this day.")),
    HttpApiEndpoint.delete("delete", "/rate_cards/:currency/:validFrom", {
      params: cardName,
      success: HttpApiSchema.NoContent,
      error: Problems.NotFound
    }).annotateMerge(
      describe(
        "deleteRateCard",
        "Delete a rate card",
        "Removes all rates of the currency that start on this day, for example after the import of a wrong file."
      )
    )
  )
  .middleware(RequestFaults)
  .middleware(AsOperator)
  .prefix(operatorPrefix)
  .annotateMerge(area("Rate cards", "Prices of chat providers, for operators of the installation.")) {}

const Word = Schema.String.check(
  Schema.isMaxCodePoints(200, { message: "Expected at most 200 characters" }),
  Schema.isPattern(textPatterns.printable, { message: "Expected a text without control characters" })
)

const word = (description: string) => Schema.optionalKey(Word).annotateKey({ description })

const time = (description: string) => Schema.optionalKey(Timestamp).annotateKey({ description })

/** The trail of changes of the installation. */
export class OperatorAuditApi extends HttpApiGroup.make("operatorAudit")
  .add(
    HttpApiEndpoint.get("list", "/audit_events", {
      query: {
        ...PageQuery,
        actorId: word("Only changes by this operator token or operator."),
        targetKind: word("Only changes of this kind of resource, for example `rate_cards`."),
        targetId: word("Only changes of the resource with this id."),
        action: word("Only this action, for example `rate_cards.imported`."),
        from: time("Only changes at this time or later."),
        to: time("Only changes before this time.")
      },
      success: Page(AuditEvent),
      error: Problems.CursorInvalid
    }).annotateMerge(
      describe(
        "listOperatorAuditEvents",
        "List audit events of the installation",
        "Changes that belong to no organization, newest first: rate cards, operator tokens, signing keys. `from` is inclusive, `to` is exclusive."
      )
    )
  )
  .middleware(RequestFaults)
  .middleware(AsOperator)
  .prefix(operatorPrefix)
  .annotateMerge(area("Operator audit", "Changes of the installation with their time and author.")) {}
