import { byRankSlowly, createPicker, type Draws } from './draws.js'

/** The most frequent surnames: spelling, character, and how many of ten thousand people have it (rounded). */
const surnames =
  'wang王715 li李700 zhang张674 liu刘510 chen陈461 yang杨322 huang黄245 zhao赵229 wu吴205 zhou周203 xu徐152 sun孙148 ' +
  'ma马131 zhu朱126 hu胡116 guo郭113 he何112 lin林110 gao高99 luo罗95 zheng郑93 liang梁85 xie谢78 song宋75 tang唐72 ' +
  'xu许70 deng邓64 han韩63 feng冯63 cao曹61 peng彭58 zeng曾57 xiao肖56 tian田54 dong董53 pan潘50 yuan袁49 cai蔡48 ' +
  'jiang蒋47 yu余46 yu于46 du杜45 ye叶45 cheng程44 wei魏44 su苏43 lv吕42 ding丁41 ren任40 lu卢39 yao姚39 shen沈38 ' +
  'zhong钟37 jiang姜37 cui崔36 tan谭35 lu陆34 fan范33 wang汪32 liao廖31 shi石30 jin金30 wei韦29 jia贾29 xia夏28 ' +
  'fu付27 fang方26 zou邹26 xiong熊25 bai白25 meng孟24 qin秦24 qiu邱24 hou侯23 jiang江23 yin尹22 xue薛22 yan闫21 ' +
  'duan段21 lei雷20 long龙20 li黎19 shi史19 tao陶19 he贺18 mao毛18 hao郝18 gu顾17 gong龚17 shao邵17 ouyang欧阳7'

const givenOfMen =
  'wei伟 qiang强 jun军 lei磊 yong勇 jie杰 tao涛 chao超 ming明 gang刚 peng鹏 hua华 hao浩 yu宇 fei飞 xin鑫 bo波 bin斌 ' +
  'kai凯 jian健 jun俊 fan帆 shuai帅 xu旭 ning宁 long龙 lin林 yang阳 jian建 zhi志 wen文 zi子 hai海 guo国 xiao小 xiao晓 ' +
  'yi一 tian天 ze泽 xuan轩'
const givenOfWomen =
  'fang芳 na娜 min敏 jing静 li丽 yan艳 juan娟 xia霞 xiu秀 yan燕 ling玲 gui桂 mei梅 ting婷 xue雪 hui慧 ying颖 lin琳 ' +
  'jia佳 jie洁 ying莹 qian倩 ping萍 hong红 ying英 xin欣 yue悦 yu雨 meng梦 shi诗 si思 chen晨 ruo若 jia嘉 xiao小 xiao晓 ' +
  'zi子 yi一 han涵 xuan萱'

interface Part {
  text: string
  spelling: string
  weight: number
}

const readParts = (list: string): Part[] =>
  [...list.matchAll(/([a-z]+)(\p{Script=Han}+)(\d*)/gu)].map(([, spelling = '', text = '', weight]) => ({
    text,
    spelling,
    weight: Number(weight),
  }))

const surname = createPicker(readParts(surnames), ({ weight }) => weight)
const given = {
  men: createPicker(readParts(givenOfMen), byRankSlowly),
  women: createPicker(readParts(givenOfWomen), byRankSlowly),
}
/** Given names of one character; the others have two. */
const shortShare = 0.15

export const drawChineseName = (draws: Draws, isWoman: boolean) => {
  const pick = isWoman ? given.women : given.men
  const family = draws.pick(surname)
  const parts = [draws.pick(pick), draws.pick(pick)].slice(draws.isWithin(shortShare) ? 1 : 0)
  return {
    realName: family.text + parts.map((part) => part.text).join(''),
    family: family.spelling,
    given: parts.map((part) => part.spelling).join(''),
  }
}
