import { assert, it } from "@effect/vitest"
import { readHosts } from "@parley/pg-pipeline/hosts"
import { Option, Redacted } from "effect"

it("addresses are parsed as libpq does", () => {
  const places = (address: string) =>
    Option.match(readHosts(address), {
      onNone: () => null,
      onSome: ({ all }) => all.map(({ place, url }) => [place, Redacted.value(url)])
    })
  assert.deepStrictEqual(
    places("postgres://u:p%40x@one:5432,two:5433/name?target_session_attrs=read-write&sslmode=require"),
    [
      ["one:5432", "postgres://u:p%40x@one:5432/name?sslmode=require"],
      ["two:5433", "postgres://u:p%40x@two:5433/name?sslmode=require"]
    ]
  )
  assert.deepStrictEqual(places("postgresql://[::1]:5432,two/name"), [
    ["[::1]:5432", "postgresql://[::1]:5432/name"],
    ["two", "postgresql://two/name"]
  ])
  assert.deepStrictEqual(places("postgres://u@/name?host=one,two&port=5432"), [
    ["one:5432", "postgres://u@one:5432/name"],
    ["two:5432", "postgres://u@two:5432/name"]
  ])
  assert.deepStrictEqual(places("postgres:///name?host=/var/run/postgresql"), [
    ["/var/run/postgresql", "postgres://%2Fvar%2Frun%2Fpostgresql/name"]
  ])
  assert.deepStrictEqual(places("postgres:///name"), [["localhost", "postgres:///name"]])
  for (const address of [
    "mysql://one/name",
    "postgres://one:x/name",
    "postgres://one,,two/name",
    "postgres://one:70000,two/name",
    "postgres://one/name?target_session_attrs=standby"
  ]) {
    assert.isNull(places(address), address)
  }
})
