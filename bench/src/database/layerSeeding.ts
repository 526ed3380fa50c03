import { Database, Migrations } from "@parley/postgres-adapter"
import { Layer, type Redacted } from "effect"

/** A connection to a database that is up to date, to fill it: an index of many millions takes its time. */
export const layerSeeding = (url: Redacted.Redacted) =>
  Migrations.layer.pipe(Layer.provideMerge(Database.layer({ url, maxConnections: 1, statementTimeout: "1 hour" })))
