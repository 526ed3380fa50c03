import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { Api } from "../../api/Api.ts"
import { type Guide, readGuides, searchIndex } from "./Guides.ts"
import { readPictures, type Resource, routeOf } from "./SiteFiles.ts"
import { invitationPage, invitationScript, passwordPage, passwordScript } from "./accountPages.ts"
import { guidePage, missingPage, missingRoute, referencePage } from "./documentPages.ts"
import { homePage, readAreas } from "./homePage.ts"
import { entriesOf, importsOf, type Page, readAssets, renderPage, type Scripts } from "./page.ts"

const htmlAt = (path: `/${string}`, body: string): Resource => ({ path, contentType: "text/html; charset=utf-8", body })

const pagesOf = (guides: ReadonlyArray<Guide>): ReadonlyArray<Page> => [
  homePage(guides, readAreas(Api)),
  referencePage,
  ...guides.map((guide) => guidePage(guide, guides))
]

const home = HttpServerResponse.redirect("/docs", { status: 308 })

/** Documentation site at `/docs`, and the pages for mail links: invitations and password resets. */
export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter> = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const guides = yield* readGuides
    const assets = yield* readAssets
    const scriptsOf = (entries: ReadonlyArray<string>): Scripts => ({ entries, imports: importsOf(assets, entries) })
    const resources: ReadonlyArray<Resource> = [
      ...pagesOf(guides).map((page) => htmlAt(page.path, renderPage(page, guides, scriptsOf(entriesOf(page))))),
      htmlAt("/invitations/accept", invitationPage(scriptsOf([invitationScript]))),
      htmlAt("/password/reset", passwordPage(scriptsOf([passwordScript]))),
      searchIndex(guides),
      ...assets,
      ...(yield* readPictures)
    ]
    yield* router.addAll(resources.map(routeOf))
    yield* router.add("GET", "/docs/guides", home)
    yield* router.addAll([missingRoute(renderPage(missingPage, guides, scriptsOf(entriesOf(missingPage))))])
  })
).pipe(Layer.provide(NodeFileSystem.layer))
