// Runs before the first paint, and before anything else can read the address: it takes the secret out of it.
;(() => {
  const root = document.documentElement
  root.classList.add("js")

  const theme = localStorage.getItem("parley.theme")
  if (theme === "light" || theme === "dark") root.dataset.theme = theme

  const fragment = location.hash.slice(1)
  const secret = /^(code|token)=(.*)$/s.exec(fragment)
  if (secret !== null) {
    history.replaceState(null, "", location.pathname + location.search)
    const token = location.pathname === "/password/reset" ? "parley.password" : "parley.invitation"
    sessionStorage.setItem(secret[1] === "code" ? "parley.docs.code" : token, secret[2] ?? "")
  } else if (/^\/docs(?:\/reference)?\/?$/.test(location.pathname)) {
    // Links of earlier versions. The browser keeps the fragment when the server redirects an operation to its page.
    const [, operation] = /^operation\/([\w-]+)/.exec(fragment) ?? []
    const [, area] = /^area\/([\w-]+)$/.exec(fragment) ?? []
    if (operation !== undefined) location.replace(`/docs/operations/${operation}#${fragment}`)
    else if (area !== undefined) location.replace(`/docs/reference/${area}`)
    else if (/^problem(?:s$|\/)/.test(fragment)) location.replace(`/docs/reference/errors#${fragment}`)
  }

  if (sessionStorage.getItem("parley.docs.code") !== null || sessionStorage.getItem("parley.docs.session") !== null) {
    root.dataset.session = "pending"
  }
})()
