import { boardOf, chances, clickWhatGlows, expect, invitation, offer, over, type Page, patience, seated, sit, test } from './table'

test('two play the duel to its end by clicking what glows; others watch, replay and verify', async ({ people, server }) => {
  const japan = await people.person()
  const america = await people.person()
  const onlooker = await people.person()
  const match = await offer(japan, { against: 'person', side: 'Japan', name: 'Red admiral' })
  const link = await invitation(japan, /Copy the link for United States/)
  await sit(japan)
  await onlooker.goto(`/match/${match}`)
  await america.goto(link)

  await test.step('the token is taken out of the address at once', async () => {
    await expect(america.getByRole('button', { name: 'Play United States' })).toBeVisible()
    expect(america.url()).toBe(`${server.url}/match/${match}`)
  })
  await sit(america)
  for (const page of [japan, america, onlooker]) await seated(page)

  let late: Page | undefined
  await test.step('played to the end', async () => {
    const [chance, tried] = [chances(7), patience(japan)]
    for (let round = 0; !(await over(japan)); round++) {
      await tried((await clickWhatGlows(japan, chance)) || (await clickWhatGlows(america, chance)))
      if (round === 60) {
        late = await people.person()
        await late.goto(`/match/${match}`)
      }
    }
  })
  late ??= await people.person()
  if (!late.url().includes(match)) await late.goto(`/match/${match}`)

  await test.step('all boards are equal and the winner is announced', async () => {
    const words = japan.locator('.prompt .words')
    await expect(words).toHaveText(/^((Japan|The United States) won|.*drawn)\. \w.+/)
    const announced = await words.innerText()
    const board = await boardOf(japan)
    expect(board.length).toBeGreaterThan(12)
    for (const page of [america, onlooker, late!]) {
      await expect(page.locator('.prompt .words')).toHaveText(announced)
      expect(await boardOf(page)).toEqual(board)
    }
  })

  await test.step('replayed from first to last by keys', async () => {
    const board = await boardOf(japan)
    await japan.goto(`/match/${match}/replay#0`)
    const slider = japan.getByRole('slider', { name: 'Moment of the match' })
    await expect(slider).toBeVisible()
    await japan.keyboard.press('Home')
    await expect(slider).toHaveValue('0')
    const length = Number(await slider.getAttribute('max'))
    for (let step = 1; step <= length; step++) await japan.keyboard.press('Shift+ArrowRight')
    await expect(slider).toHaveValue(String(length))
    expect(await boardOf(japan)).toEqual(board)
  })

  await test.step('what cannot be fetched is said, and what is there stays', async () => {
    const eyes = japan.getByRole('combobox', { name: 'As seen by' })
    const board = await boardOf(japan)
    const steps = '**/api/matches/*/steps*'
    const address = japan.url()
    const said = japan.getByText('That could not be fetched.')
    let answer!: () => void
    await japan.route(steps, async (route) => {
      await new Promise<void>((now) => (answer = now))
      await route.fulfill({ status: 200, body: '{"t":"view",' })
    })
    for (let times = 0; times < 2; times++) {
      const request = japan.waitForRequest(steps)
      await eyes.selectOption('Everything')
      await request
      await expect(said).toHaveCount(0)
      answer()
      await expect(said).toBeInViewport({ ratio: 1 })
      await expect(eyes).toHaveValue('')
      await expect(japan).toHaveURL(address)
      expect(await boardOf(japan)).toEqual(board)
    }
    await japan.unroute(steps)
    await eyes.selectOption('Everything')
    await expect(japan).toHaveURL(/as=all/)
    await expect(said).toHaveCount(0)
    await expect(eyes).toHaveValue('all')
  })

  await test.step('verified: green', async () => {
    await japan.goto(`/match/${match}/verify`)
    await expect(japan.locator('[data-verdict="holds"]')).toBeVisible({ timeout: 30_000 })
    for (const check of ['form', 'chain', 'header', 'receipts', 'key', 'nonces', 'dice']) {
      await expect(japan.locator(`[data-check="${check}"]`)).toHaveAttribute('data-result', 'holds')
    }
  })

  await test.step('one byte changed: red, and the fact is named', async () => {
    const record = await (await japan.request.get(`${server.url}/api/matches/${match}/record`)).text()
    const lines = record.split('\n')
    const seq = lines.findIndex((line) => line.includes('"type":"Rolled"'))
    lines[seq] = lines[seq]!.replace(/(dice\\":\[)(\d)/, (_, before: string, die: string) => before + (die === '6' ? '1' : '6'))
    await onlooker.goto('/verify')
    const file = { name: 'changed.jsonl', mimeType: 'application/x-ndjson', buffer: Buffer.from(lines.join('\n')) }
    await onlooker.locator('input[type=file]').setInputFiles(file)
    await expect(onlooker.locator('[data-verdict="fails"]')).toContainText(`from fact ${seq} on`, { timeout: 30_000 })
  })

  await test.step('the lobby lists it as finished', async () => {
    await onlooker.goto('/')
    await onlooker.getByRole('button', { name: 'Finished' }).click()
    await expect(onlooker.locator(`a[href="/match/${match}/replay#0"]`)).toBeVisible({ timeout: 15_000 })
  })
})
