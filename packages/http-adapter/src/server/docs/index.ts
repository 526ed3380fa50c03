import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { Api } from "../../api/Api.ts"
import { ServerConfig } from "../ServerConfig.ts"
import { ApiDocument } from "../openapi/ApiDocument.ts"
import { type Guide, readGuides } from "./Guides.ts"
import { laterRouteOf, type LaterResource, pageHeaders, readPictures, type Resource, routeOf } from "./SiteFiles.ts"
import { invitationPage, invitationScript, passwordPage, passwordScript } from "./accountPages.ts"
import { type Area, errorsPath, readAreas } from "./areas.ts"
import { guidePage, missingAnswer, missingPage } from "./documentPages.ts"
import { homePage } from "./homePage.ts"
import { entriesOf, importsOf, type Page, readAssets, renderPage, type Scripts } from "./page.ts"
import { areaPage, errorsPage, referencePage } from "./referencePages.ts"
import { referenceIndex, referenceParts } from "./referenceParts.ts"
import { searchEntries } from "./searchEntries.ts"
import { textPages } from "./textPages.ts"

const htmlAt = (path: `/${string}`, body: string): Resource => ({ path, contentType: "text/html; charset=utf-8", body })

const pagesOf = (guides: ReadonlyArray<Guide>, areas: ReadonlyArray<Area>): ReadonlyArray<Page> => [
  homePage(guides, areas),
  referencePage(areas),
  ...areas.map(areaPage),
  errorsPage,
  ...guides.map((guide) => guidePage(guide, guides))
]

const redirectTo = (path: string) => HttpServerResponse.redirect(path, { status: 307, headers: { ...pageHeaders } })

const home = HttpServerResponse.redirect("/docs", { status: 308 })

const json = "application/json"

/** Pages as Markdown, and parts of the contract for the scripts of the pages. */
const dataOf = Effect.fnUntraced(function* (guides: ReadonlyArray<Guide>, areas: ReadonlyArray<Area>) {
  const document = yield* ApiDocument
  const parts = yield* Effect.cached(Effect.map(document, referenceParts))
  const { baseUrl } = yield* ServerConfig
  const data: ReadonlyArray<LaterResource> = [
    ...textPages(guides, areas, document, baseUrl),
    {
      path: "/docs/search.json",
      contentType: json,
      body: Effect.map(document, (contract) => JSON.stringify(searchEntries(guides, areas, contract)))
    },
    {
      path: "/docs/reference.json",
      contentType: json,
      body: Effect.map(document, (contract) => referenceIndex(contract, areas))
    },
    { path: `${errorsPath}.json`, contentType: json, body: Effect.map(parts, ({ errors }) => errors()) },
    ...areas.map((area): LaterResource => ({
      path: `${area.path}.json`,
      contentType: json,
      body: Effect.map(parts, (part) => part.area(area))
    }))
  ]
  return data
})

/** Leads to the page of an operation. Links of earlier versions name the operation in the fragment only. */
const operationRoute = (areas: ReadonlyArray<Area>, missing: ReturnType<typeof missingAnswer>) => {
  const paths = new Map(areas.flatMap(({ operations, path }) => operations.map(({ id }) => [id, path] as const)))
  return HttpRouter.route(
    "GET",
    "/docs/operations/:id",
    Effect.flatMap(HttpRouter.params, ({ id = "" }) => {
      const path = paths.get(id)
      return path === undefined ? missing : Effect.succeed(redirectTo(path))
    })
  )
}

/** Documentation site at `/docs`, and the pages for mail links: invitations and password resets. */
export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter | ServerConfig> = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const guides = yield* readGuides
    const areas = readAreas(Api)
    const assets = yield* readAssets
    const scriptsOf = (entries: ReadonlyArray<string>): Scripts => ({ entries, imports: importsOf(assets, entries) })
    const render = (page: Page) => renderPage(page, guides, scriptsOf(entriesOf(page)))
    const resources: ReadonlyArray<Resource> = [
      ...pagesOf(guides, areas).map((page) => htmlAt(page.path, render(page))),
      htmlAt("/invitations/accept", invitationPage(scriptsOf([invitationScript]))),
      htmlAt("/password/reset", passwordPage(scriptsOf([passwordScript]))),
      ...assets,
      ...(yield* readPictures)
    ]
    const missing = missingAnswer(render(missingPage))
    yield* router.addAll(resources.map(routeOf))
    yield* router.addAll(yield* Effect.forEach(yield* dataOf(guides, areas), laterRouteOf))
    yield* router.add("GET", "/docs/guides", home)
    yield* router.addAll([operationRoute(areas, missing), HttpRouter.route("GET", missingPage.path, missing)])
  })
).pipe(Layer.provide([NodeFileSystem.layer, ApiDocument.layer]))
