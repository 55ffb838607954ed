import { expect, freshHandle, signIn, signUp, test } from './passkeys'
import { offer, seated, sideLine } from './table'

test('whoever sat down in one browser begins in another, though his opponent is there and has shown his number', async ({ known }) => {
  const [desk, phone, other] = [await known.browser(), await known.browser(), await known.browser()]
  const handle = freshHandle()
  await signUp(desk.page, handle)
  const match = await offer(desk.page, { against: 'person', side: 'Japan', label: 'At my desk' })
  await expect(desk.page.locator('.invite li', { hasText: 'Japan' })).toContainText('(you)')
  await phone.keys.take(desk.keys)
  await desk.page.context().close()

  await test.step('somebody joins, and the match cannot begin yet', async () => {
    await other.page.goto(`/match/${match}`)
    await other.page.getByRole('button', { name: /^Join as/ }).click()
    await expect(other.page.getByText('the dice are being fixed')).toBeVisible()
  })

  await signIn(phone.page, handle)
  await phone.page.goto(`/match/${match}`)
  await phone.page.getByRole('button', { name: 'Begin here' }).click()
  await seated(phone.page)
  await seated(other.page)
  await expect(sideLine(phone.page, 'Japan')).toContainText('(you)')
})
