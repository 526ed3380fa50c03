import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { withoutIndexes } from "../database/withoutIndexes.ts"
import { cities, familyEnds, familyStems, givenNames } from "./words.ts"

/** Number of contacts, half of them in the first organization. */
export interface ContactsSize {
  readonly contacts: number
  /** How many small organizations share the other half. */
  readonly organizations: number
}

const organizationStart = "00000000-0000-7000-8000-0000003"
const tagStart = "00000000-0000-7000-9"

/** The id of the organization at this place. The large one is at 0. */
export const organizationAt = (place: number) => organizationStart + place.toString(16).padStart(5, "0")

/** How many of an organization's contacts have its tags, from the commonest to the rarest. */
export const tagShares = [0.5, 0.1, 0.02, 0.005, 0.001, 0.0001, 0.00001]

/** The id of an organization's tag with this place in `tagShares`. */
export const tagAt = (organization: number, place: number) =>
  `${tagStart}${String(place).padStart(3, "0")}-${organization.toString(16).padStart(12, "0")}`

const atOnce = 250_000

const tables = ["contacts", "contact_identities", "contact_tags", "contact_search_words"]

const seedOrganizations = Effect.fnUntraced(function* ({ organizations }: ContactsSize) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO organizations (id, name, slug, plan, timezone, locale, currency, status, created_at, version)
    SELECT (${organizationStart} || lpad(to_hex(place), 5, '0'))::uuid, 'Contacts ' || place, 'contacts-' || place,
      'scale', 'Europe/Berlin', 'en', 'EUR', 'active', now(), 1
    FROM generate_series(0, ${organizations}::integer) AS place ON CONFLICT DO NOTHING`
  yield* sql`
    INSERT INTO tags (organization_id, id, name, name_key, color, created_at, updated_at, version)
    SELECT (${organizationStart} || lpad(to_hex(place), 5, '0'))::uuid,
      (${tagStart} || lpad(tag::text, 3, '0') || '-' || lpad(to_hex(place), 12, '0'))::uuid,
      'Tag ' || tag, 'tag ' || tag, '#1f6feb', now(), now(), 1
    FROM generate_series(0, ${organizations}::integer) AS place, generate_series(0, ${tagShares.length - 1}::integer) AS tag`
})

const seedSome = Effect.fnUntraced(function* (from: number, { contacts, organizations }: ContactsSize) {
  const sql = yield* SqlClient.SqlClient
  const tagIn = sql.join(
    ", ",
    false
  )(
    tagShares.map(
      (share, place) =>
        sql`CASE WHEN random() < ${share}::float8 THEN (${tagStart} || ${String(place).padStart(3, "0")} || '-' || lpad(to_hex(place), 12, '0'))::uuid END`
    )
  )
  yield* sql`
    INSERT INTO contacts (organization_id, id, name, name_key, phone, email, identities, locale, timezone, attributes, tags,
      marketing, consent_source, consent_changed_at, blocked_at, last_seen_at, last_inbound_at, created_at, updated_at,
      version, search)
    SELECT (${organizationStart} || lpad(to_hex(place), 5, '0'))::uuid, id, name, lower(name), phone, email,
      (CASE WHEN phone IS NULL THEN '[]'
        ELSE jsonb_build_array(jsonb_build_object('kind', 'phone', 'value', phone, 'source', 'import', 'addedAt', at)) END
      || CASE WHEN email IS NULL THEN '[]'
        ELSE jsonb_build_array(jsonb_build_object('kind', 'email', 'value', email, 'source', 'import', 'addedAt', at)) END),
      (ARRAY['de', 'en', 'pt-BR', 'es', 'fr'])[1 + number % 5], NULL,
      jsonb_strip_nulls(jsonb_build_object('city', city, 'score', floor(random() * 1000),
        'plan', (ARRAY['free', 'free', 'free', 'pro', 'team'])[1 + floor(random() * 5)::integer],
        'birthday', to_char(date '1950-01-01' + floor(random() * 20000)::integer, 'YYYY-MM-DD'),
        'vip', CASE WHEN random() < 0.01 THEN true END, 'wave', CASE WHEN random() < 0.0001 THEN 'first' END)),
      array_remove(ARRAY[${tagIn}], NULL), marketing,
      CASE marketing WHEN 'unknown' THEN NULL ELSE 'import' END, CASE marketing WHEN 'unknown' THEN NULL ELSE created END,
      CASE WHEN random() < 0.001 THEN created END, seen, CASE WHEN random() < 0.5 THEN seen END, created, created, 1,
      concat_ws(E'\t', lower(name), substr(phone, 2), email)
    FROM (
      SELECT number, place, created, seen, city, marketing, name, to_char(created, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at,
        (lpad(to_hex(floor(extract(epoch FROM created) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(number & 4095), 3, '0')
          || '8' || substr(md5(number::text), 1, 15))::uuid AS id,
        CASE WHEN number % 20 <> 7 THEN '+' || (ARRAY['49', '49', '351', '1', '44'])[1 + number % 5]
          || lpad((number::bigint * 7919 % 1000000007)::text, 10, '0') END AS phone,
        CASE WHEN number % 10 < 6 THEN
          regexp_replace(translate(lower(name), 'äöüßáàâãéèêíîóôõúçñšžčśńłøåğşıǎ', 'aousaaaaeeeiiooouncszcsnloagsia'), '[^a-z]+', '.', 'g')
            || number || (ARRAY['@example.com', '@mail.example.org', '@firma.example.de'])[1 + number % 3] END AS email
      FROM (
        SELECT number, CASE WHEN number % 2 = 0 THEN 0 ELSE 1 + number / 2 % ${organizations}::integer END AS place,
          timestamptz '2022-01-01Z' + number * (interval '1400 days' / ${contacts}::integer) AS created,
          CASE WHEN random() < 0.7 THEN timestamptz '2026-03-01Z' - random() ^ 3 * interval '900 days' END AS seen,
          (${cities}::text[])[1 + floor(random() ^ 2 * ${cities.length}::integer)::integer] AS city,
          CASE WHEN random() < 0.6 THEN 'subscribed' WHEN random() < 0.05 THEN 'unsubscribed' ELSE 'unknown' END AS marketing,
          (${givenNames}::text[])[1 + floor(random() ^ 2 * ${givenNames.length}::integer)::integer] || ' '
            || (${familyStems}::text[])[1 + floor(random() ^ 2 * ${familyStems.length}::integer)::integer]
            || (${familyEnds}::text[])[1 + floor(random() ^ 2 * ${familyEnds.length}::integer)::integer]
            || CASE WHEN random() < 0.05 THEN '-' || (${familyStems}::text[])[1 + floor(random() * ${familyStems.length}::integer)::integer]
              || (${familyEnds}::text[])[1 + floor(random() * ${familyEnds.length}::integer)::integer] ELSE '' END AS name
        FROM generate_series(${from}::integer, ${Math.min(from + atOnce, contacts) - 1}::integer) AS number
      ) AS drawn
    ) AS known`.unprepared
})

const seedRest = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.logInfo("Identities")
  yield* sql`
    INSERT INTO contact_identities (organization_id, kind, key, contact_id)
    SELECT organization_id, 'phone', phone, id FROM contacts WHERE phone IS NOT NULL
    UNION ALL SELECT organization_id, 'email', email, id FROM contacts WHERE email IS NOT NULL`
  yield* Effect.logInfo("Tags and words")
  yield* sql`
    INSERT INTO contact_tags (organization_id, tag_id, contact_id)
    SELECT organization_id, tag, id FROM contacts, unnest(tags) AS tag`
  yield* sql`
    INSERT INTO tag_counts (organization_id, tag_id, contacts)
    SELECT organization_id, tag_id, count(*) FROM contact_tags GROUP BY 1, 2`
  yield* sql`
    INSERT INTO contact_counts (organization_id, count) SELECT organization_id, count(*) FROM contacts GROUP BY 1`
  yield* sql`
    INSERT INTO contact_search_words (organization_id, word)
    SELECT DISTINCT organization_id, word FROM (SELECT DISTINCT organization_id, name_key FROM contacts) AS named,
      regexp_split_to_table(name_key, '[^[:alpha:]]+') AS word WHERE char_length(word) >= 3`
})

/** Fills a migrated database with contacts by a few large statements. Their random data is always equal. */
export const seedContacts = Effect.fnUntraced(function* (size: ContactsSize) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`SET statement_timeout = 0`
  yield* sql`SET synchronous_commit = off`
  yield* sql`SET work_mem = '256MB'`
  yield* sql`SET maintenance_work_mem = '1GB'`
  yield* sql`SELECT setseed(0.42)`
  yield* seedOrganizations(size)
  yield* withoutIndexes(
    tables,
    Effect.gen(function* () {
      for (let from = 0; from < size.contacts; from += atOnce) {
        yield* seedSome(from, size)
        yield* Effect.logInfo(`${Math.min(from + atOnce, size.contacts)} contacts`)
      }
      yield* seedRest
    })
  )
  yield* sql`VACUUM ANALYZE`
})
