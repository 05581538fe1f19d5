package tongue

import "testing"

func TestOf(t *testing.T) {
	for text, want := range map[string]string{
		"the file is there and the test is red, for you to see":      "en",
		"Die Datei ist nicht da und der Test ist rot, das sehe ich.": "de",
		"文件不存在测试失败了":                                                 "zh", "ファイルは存在しません": "ja", "파일이 없습니다 테스트": "ko",
		"main.go:12: x := 3": "", "": "", "le la x\xff\xfe": "",
	} {
		if got := Of(text, 4); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := Of("the and is", 4); got != "" {
		t.Errorf("three words tell %q", got)
	}
}

func TestScripts(t *testing.T) {
	if got := Scripts("Файл main 文"); got["Cyrillic"] != 4 || got["Latin"] != 4 || got["Chinese"] != 1 {
		t.Errorf("%v", got)
	}
}
